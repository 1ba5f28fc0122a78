// check: array n=4,2 flags=-std=c++20
// A hash table of lists beside a tree in one object: a small table has its one bucket in itself, before whatever follows,
// and its load factor is a float among doubles.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

struct Edge {
    std::string to;
    double rate;
    unsigned visits = 0;
};

struct Chain {
    std::unordered_map<std::string, std::vector<Edge>> edges;
    std::map<std::string, double> mass;

    void link(const std::string &from, const std::string &to, double rate) { edges[from].push_back({to, rate}); }

    void step() {
        std::map<std::string, double> next;
        for (auto &[from, list] : edges)
            for (auto &edge : list) {
                edge.visits++;
                next[edge.to] += edge.rate * mass[from];
            }
        mass = std::move(next);
    }
};

extern "C" double objective(const double *x, int n) {
    Chain chain;
    const std::string names[] = {"sun", "rain", "thunderstorm with hail", "fog over the valley"};
    for (int i = 0; i < n; i++) {
        chain.link(names[i], names[(i + 1) % n], x[i]);
        chain.link(names[i], names[(i * 3 + 2) % n], 1 - x[i] * x[i]);
        chain.mass[names[i]] = x[(i + 1) % n] + 1;
    }
    for (auto &[from, list] : chain.edges)
        std::sort(list.begin(), list.end(), [](const Edge &a, const Edge &b) { return a.to < b.to; });
    chain.step();
    chain.step();
    double sum = 0;
    for (auto &[name, mass] : chain.mass)
        sum += mass * mass * name.size();
    for (auto &[from, list] : chain.edges)
        for (auto &edge : list)
            sum += edge.rate * edge.visits;
    return sum;
}

// check: array n=8 range=0.5:2.0
// Dijkstra with a priority queue over weighted edges: lengths are active, the order is decided by them.
#include <functional>
#include <queue>
#include <utility>
#include <vector>

struct Edge {
    int to;
    double length;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<std::vector<Edge>> graph(6);
    for (int i = 0; i < n; i++) {
        int a = i % 6, b = (i * 2 + 1) % 6;
        graph[a].push_back({b, x[i]});
        graph[b].push_back({a, x[i] * 1.5});
    }
    std::vector<double> distance(6, 1e9);
    using Item = std::pair<double, int>;
    std::priority_queue<Item, std::vector<Item>, std::greater<Item>> queue;
    distance[0] = 0.0;
    queue.push({0.0, 0});
    while (!queue.empty()) {
        auto [d, at] = queue.top();
        queue.pop();
        if (d > distance[at])
            continue;
        for (const Edge &e : graph[at])
            if (d + e.length < distance[e.to]) {
                distance[e.to] = d + e.length;
                queue.push({distance[e.to], e.to});
            }
    }
    double sum = 0.0;
    for (double d : distance)
        sum += d < 1e8 ? d * d : 0.0;
    return sum;
}

// check: array n=4,2 range=0.5:1.4 flags=-std=c++20
// Laws by name in a hash table: closures over one number, over two, and over a number and a count.
#include <cmath>
#include <functional>
#include <string>
#include <unordered_map>
struct Model {
    std::unordered_map<std::string, std::function<double(double)>> laws;
    void add(const std::string &name, std::function<double(double)> law) { laws.insert_or_assign(name, std::move(law)); }
    double at(const std::string &name, double t) const { auto found = laws.find(name); return found == laws.end() ? 0 : found->second(t); }
};
extern "C" double objective(const double *x, int n)
{
    Model m;
    double rate = x[0], half = x[1];
    m.add("decay", [rate](double t) { return std::exp(-rate * t); });
    m.add("saturation", [rate, half](double t) { return rate * t / (half + t); });
    m.add("power", [half, n](double t) { return half * std::pow(t, n); });
    double s = 0;
    for (int i = 0; i < n; i++) s += m.at("decay", x[i]) * m.at("saturation", x[n - 1 - i]) + m.at("power", x[i]) + m.at("none", x[i]);
    return s;
}

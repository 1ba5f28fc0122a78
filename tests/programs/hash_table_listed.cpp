// check: array n=6
// A hash table by names, copied, changed, and listed in a vector that is sorted.
#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::unordered_map<std::string, double> first;
    for (int i = 0; i < n; i++)
        first["p" + std::to_string(i)] = x[i];
    std::unordered_map<std::string, double> second = first;
    second["p1"] *= 2;
    first.erase("p0");
    double sum = 0;
    for (const auto &[name, value] : second)
        sum += value * value * (first.count(name) ? first[name] : 1);
    std::vector<std::pair<std::string, double>> list(second.begin(), second.end());
    std::sort(list.begin(), list.end());
    return sum + list[2].second * list[0].second;
}

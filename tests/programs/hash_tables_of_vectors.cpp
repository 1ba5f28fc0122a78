// check: array n=7
// Hash tables side by side, of numbers and of vectors that grow in their nodes, which the tables' own members meet.
#include <string>
#include <unordered_map>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::unordered_map<int, double> numbers;
    std::unordered_map<int, std::vector<double>> groups;
    for (int i = 0; i < n; i++) {
        numbers[3 * i] = x[i];
        groups[i % 3].push_back(x[i]);
    }
    double sum = 0;
    for (const auto &[key, group] : groups)
        for (double v : group)
            sum += v * v * (key + 1);
    for (const auto &[key, number] : numbers)
        sum += number * key;
    return sum;
}

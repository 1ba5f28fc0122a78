// check: array n=6
// Range-for over arrays, vectors, initialiser lists and pairs, by value and by reference.
#include <utility>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<std::pair<double, int>> pairs;
    for (int i = 0; i < n; i++)
        pairs.emplace_back(x[i], i % 3);
    double weights[3] = {x[0], x[1] * 2.0, 0.5}, sum = 0.0;
    for (auto &[value, kind] : pairs)
        value *= weights[kind];
    for (const auto &pair : pairs)
        sum += pair.first * pair.first;
    for (double w : weights)
        sum *= 1.0 + w;
    for (double power : {x[2], x[3] * x[3], sum})
        sum += power;
    return sum;
}

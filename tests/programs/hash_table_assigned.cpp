// check: array n=6
// Hash tables assigned to others in several places, so that the library's functions for it are not inlined: where a
// node keeps its value, the table itself has its load factor.
#include <cmath>
#include <unordered_map>

typedef std::unordered_map<int, double> Table;

__attribute__((noinline)) static double scaled(const double *x, double by)
{
    Table table;
    for (int i = 0; i < 4; i++)
        table[i] = 0.7 * x[i];
    {
        auto copy = table;
        for (auto &[key, value] : copy)
            value *= by;
        table = copy;
    }
    return std::sin(table[1] + table[0]);
}

__attribute__((noinline)) static double summed(const double *x, double by)
{
    Table table, other;
    for (int i = 0; i < 3; i++)
        table[i * 7 % 5] += 0.5 * x[i];
    other[9] = by;
    for (int i = 0; i < 2; i++) {
        other = table;
        for (auto &[key, value] : other)
            value = std::cos(value * by);
        table = other;
    }
    return table[1] * other[2];
}

extern "C" double objective(const double *x, int n)
{
    return scaled(x, x[4]) + summed(x + 1, x[n - 1]);
}

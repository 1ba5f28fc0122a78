// check: array n=6 tol=2e-3 identity=2e-5
// Hash tables of structs of four floats: where a node keeps the third, the table has a count.
#include <cmath>
#include <unordered_map>

struct Four { float a, b, c, d; };
typedef std::unordered_map<int, Four> Table;
__attribute__((noinline)) static double scaled(const double *x, double by)
{
    Table table;
    for (int i = 0; i < 4; i++)
        table[i] = Four{(float)(0.7 * x[i]), (float)x[i], (float)(x[i] * x[0]), 0.3f};
    {
        auto copy = table;
        for (auto &[key, value] : copy)
            value.c *= (float)by, value.d *= (float)by;
        table = copy;
    }
    return std::sin(table[1].c + table[0].d + table[2].b * table[3].a);
}
__attribute__((noinline)) static double summed(const double *x, double by)
{
    Table table, other;
    for (int i = 0; i < 3; i++)
        table[i * 7 % 5] = Four{(float)(0.7 * x[i]), (float)x[i], (float)(x[i] * x[0]), 0.3f};
    for (int i = 0; i < 2; i++) {
        other = table;
        for (auto &[key, value] : other)
            value.c = std::cos(value.d * (float)by);
        table = other;
    }
    return table[1].c * other[2].b;
}
extern "C" double objective(const double *x, int n)
{
    return scaled(x, x[4]) + summed(x + 1, x[n - 1]);
}

// check: array n=3 range=0.4:1.5 refused=E0204@-O2-fno-inline
// Variants of a number and a pointer that are passed by value to what stores them.
#include <variant>
#include <vector>
using Value = std::variant<double, const double *>;
struct Table { std::vector<Value> at; };
__attribute__((noinline)) static void bind(Table &t, int k, Value v) { t.at[k] = v; }
__attribute__((noinline)) static double get(const Table &t, int k) { return t.at[k].index() ? *std::get<1>(t.at[k]) : std::get<0>(t.at[k]); }
extern "C" double objective(double *x, int n)
{
    double y[3] = {x[0] * x[1], x[2], x[1]}, r = 0;
    Table t;
    t.at.resize(3, 1.0);
    for (int k = 0; k < 3; k++)
        bind(t, k, y + k);
    for (int k = 0; k < 3; k++)
        r += get(t, k) * x[k];
    return r;
}

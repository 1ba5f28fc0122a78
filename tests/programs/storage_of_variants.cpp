// check: array n=4,1 range=0.5:1.9 tol=1e-4 lenient=1 flags=-std=c++17
// Variants, unions and four bytes of storage: numbers are read at computed places, then integers are written over them.
#include <array>
#include <cstdint>
#include <new>
#include <variant>

namespace {
using cell = std::variant<double, std::int64_t>;
union both { double number; std::int64_t count; };
struct bits { alignas(4) unsigned char room[4]; };

double read(const std::array<cell, 4> &cells, const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += std::get<double>(cells[i * 3 % n]) * std::get<double>(cells[i]) * x[i];
    return sum;
}
}

extern "C" double objective(double *x, int n)
{
    std::array<cell, 4> cells;
    both unions[4];
    bits small[4];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        cells[i] = x[i] * x[i];
        new (&unions[i]) both{x[i] * x[0]};
        new (small[i].room) float(static_cast<float>(x[i]));
    }
    sum += read(cells, x, n);
    for (int i = 0; i < n; i++)
        sum += unions[i * 3 % n].number * unions[i].number;
    for (int i = 0; i < n; i++)
        sum += *std::launder(reinterpret_cast<float *>(small[i * 3 % n].room)) * 1e-3;
    for (int i = 0; i < n; i++) {
        cells[i] = std::int64_t{i + 3};
        unions[i].count = i + 2;
        new (small[i].room) std::int32_t(i + 1);
    }
    for (int i = 0; i < n; i++)
        sum *= 1 + 1e-2 * std::get<std::int64_t>(cells[i]) * unions[i].count *
                       *std::launder(reinterpret_cast<std::int32_t *>(small[i].room));
    return sum;
}

// check: array n=5,2 stopped=-O2-fno-inline
// A function that returns the argument, or one of several kinds of kept memory: a table of rows by name, an arena, rows of
// rows. It is called from copies of the objective, too. (Without types of accesses, the names' characters look like rows.)
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

namespace {
class Arena {
    char *base = nullptr;
    std::size_t used = 0, size = 0;

public:
    ~Arena() { ::operator delete(base); }
    void reset(std::size_t count)
    {
        if (count > size) {
            ::operator delete(base);
            base = static_cast<char *>(::operator new(count));
            size = count;
        }
        used = 0;
    }
    double *take(int n)
    {
        double *taken = reinterpret_cast<double *>(base + used);
        used += n * sizeof(double);
        return taken;
    }
};

Arena arena;
std::unordered_map<std::string, std::vector<double>> named;
std::vector<std::vector<double>> levels;

const double *chosen(const double *x, int n, int k)
{
    if (k == 0)
        return x;
    if (k == 1) {
        auto &row = named["squares"];
        row.assign(x, x + n);
        for (double &t : row)
            t *= t;
        return row.data();
    }
    if (k == 2) {
        double *row = arena.take(n);
        for (int i = 0; i < n; i++)
            row[i] = std::sin(x[i]);
        return row;
    }
    if (levels.size() < 4)
        levels.resize(4);
    levels[k].resize(n);
    for (int i = 0; i < n; i++)
        levels[k][i] = x[i] * x[(i + 1) % n];
    return levels[k].data();
}
}

extern "C" double objective(double *x, int n)
{
    arena.reset(n * 4 * sizeof(double));
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        const double *a = chosen(x, n, k), *b = chosen(x, n, (k + 1) % 4);
        for (int i = 0; i < n; i++)
            sum += a[i] * b[n - 1 - i];
    }
    return sum;
}

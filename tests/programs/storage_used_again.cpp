// check: array n=4,1 range=0.6:1.9 tol=1e-6
// An arena on the stack that is reset, and a static buffer: first numbers are made there, then integers.
#include <cstddef>
#include <cstdint>
#include <new>

namespace {
struct arena {
    alignas(16) std::byte room[1024];
    std::size_t top = 0;
    template <class T> T *make(int n)
    {
        void *p = room + top;
        top += (n * sizeof(T) + 15) / 16 * 16;
        return new (p) T[n];
    }
};

double squares(arena &a, const double *x, int n)
{
    double *w = a.make<double>(n), sum = 0;
    for (int i = 0; i < n; i++)
        w[i] = x[i] * x[i] + (i ? w[i - 1] : 0);
    for (int i = 0; i < n; i++)
        sum += w[i] * w[i];
    return sum;
}

double weights(arena &a, const double *x, int n)
{
    auto *k = a.make<std::int64_t>(n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        k[i] = 7 * i % n;
    for (int i = 0; i < n; i++)
        sum += x[k[i]] * (k[i] + 1);
    return sum;
}

struct job { double weight, value; };
struct tally { std::int64_t hits, misses; };
alignas(8) unsigned char shared[sizeof(job)];

[[gnu::noinline]] double run(double x)
{
    auto *j = new (shared) job{x * x, x + 1};
    return j->weight * j->value * j->weight;
}

[[gnu::noinline]] std::int64_t count(int i)
{
    auto *t = new (shared) tally{i, i + 2};
    return t->hits + t->misses;
}
}

extern "C" double objective(double *x, int n)
{
    arena a;
    double s = squares(a, x, n);
    a.top = 0;
    s *= weights(a, x, n);
    a.top = 0;
    s *= squares(a, x, n);
    for (int i = 0; i < n; i++) {
        s += run(x[i]);
        s *= 1 + 0.1 * count(i);
    }
    return s;
}

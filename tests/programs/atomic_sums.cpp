// check: inplace n=8,4 flags=-std=c++20
// Atomic additions to memory of the caller's: exchanges that are tried again, and single instructions.
#include <atomic>
#include <cmath>

namespace {

__attribute__((noinline)) void scatter(std::atomic_ref<double> target, double value)
{
    target.fetch_add(value);
    target.fetch_sub(0.25 * value * value, std::memory_order_relaxed);
}

struct Totals {
    std::atomic<float> rough{0.0f};
    std::atomic<double> fine{0.0};
    std::atomic<long> count{0};
};

void gather(Totals *totals, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        totals->fine.fetch_add(std::sin(x[i]));
        totals->rough.fetch_sub(static_cast<float>(x[i]));
        totals->count++;
    }
}

}  // namespace

extern "C" void transform(double *all, int size)
{
    double *y = all, *x = all + 3;
    int n = size - 3, m = 3;
    for (int i = 0; i < n; i++)
        scatter(std::atomic_ref<double>(y[i % m]), x[i] * x[(i + 1) % n]);
    // The old number counts, too.
    double before = __atomic_fetch_add(y, std::cos(x[0]), __ATOMIC_ACQ_REL);
    before += __atomic_fetch_sub(y + m - 1, x[n - 1], __ATOMIC_RELAXED);
    y[0] += 0.1 * before * before;
    auto *totals = new Totals;
    gather(totals, x, n);
    y[m - 1] += totals->fine * totals->count;
    delete totals;
}

// check: array n=6,1 flags=-std=c++20
// Atomic numbers of the function's own: arithmetic, exchange, compare and exchange; atomic counters.
#include <atomic>
#include <cmath>

extern "C" double objective(const double *x, int n)
{
    std::atomic<double> sum{0.0};
    std::atomic<int> count{0};
    for (int i = 0; i < n; i++) {
        sum.fetch_add(std::sin(x[i]));
        sum.store(sum.load(std::memory_order_relaxed) * x[0], std::memory_order_relaxed);
        count++;
    }
    double before = sum.exchange(x[n - 1] * count);
    double expected = sum.load();
    while (!sum.compare_exchange_weak(expected, expected * before))
        ;
    return sum.load() + before;
}

// check: array n=2
// A pointer is published by a function that stays a call.
#include <atomic>
__attribute__((noinline)) static void publish(std::atomic<double *> &box, double *p) { box.store(p, std::memory_order_release); }
extern "C" double objective(double *x, int n)
{
    std::atomic<double *> box{nullptr};
    double cell = x[0] * x[n - 1];
    publish(box, &cell);
    return *box.load(std::memory_order_acquire) * x[0];
}

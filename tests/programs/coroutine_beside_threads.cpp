// check: array n=4 flags=-std=c++20,-pthread,-include,cmath
// What a thread runs has the type of what resumes a coroutine, and another calling convention. With -include, nothing
// marks virtual tables at -O0.
#include <coroutine>
#include <exception>
#include <span>
#include <thread>
struct Sums {
    struct promise_type {
        double value;
        Sums get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(double sum) { value = sum; return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    ~Sums() { handle.destroy(); }
    bool next() { handle.resume(); return !handle.done(); }
};
static Sums damped(std::span<const double> x, double damping) {
    double sum = 1;
    for (double v : x) { sum = sum * damping + std::sin(v); co_yield sum; }
    co_yield sum * sum;
}
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
extern "C" double objective(const double *x, int n) {
    double total = 0;
    auto sums = damped({x, std::size_t(n)}, 0.5 + x[0]);
    while (sums.next()) total += sums.handle.promise().value;
    return total;
}
static double slope() {
    double x[2] = {2, 3}, gradient[2] = {};
    std::thread other([&] {
        __enzyme_autodiff((void *)objective, enzyme_dup, x, gradient, enzyme_const, 2);
    });
    other.join();
    return gradient[0];
}
extern const double of_another_thread = slope();

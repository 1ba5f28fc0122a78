// check: array n=5 flags=-std=c++20
// A generator: values come out of a coroutine that is resumed and destroyed.
#include <coroutine>
#include <exception>
#include <utility>

struct generator {
    struct promise_type {
        double current;
        generator get_return_object()
        {
            return generator{std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(double v)
        {
            current = v;
            return {};
        }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };

    std::coroutine_handle<promise_type> handle;

    explicit generator(std::coroutine_handle<promise_type> h) : handle(h) {}
    generator(generator &&other) : handle(std::exchange(other.handle, {})) {}
    ~generator()
    {
        if (handle)
            handle.destroy();
    }
    bool next()
    {
        handle.resume();
        return !handle.done();
    }
    double value() const { return handle.promise().current; }
};

static generator powers(double x, int n)
{
    double p = 1;
    for (int i = 0; i < n; i++) {
        p *= x;
        co_yield p;
    }
}

extern "C" double objective(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        generator g = powers(x[i], 3);
        while (g.next())
            sum += g.value() * (i + 1);
    }
    return sum;
}

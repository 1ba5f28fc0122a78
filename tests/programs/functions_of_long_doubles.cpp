// check: array n=4 range=0.5:1.8 flags=-std=c++17 refused=E0201
// Functions of one class that hold nothing, or a long double on the heap: the same bytes are the number and its address.
#include <functional>
#include <vector>
extern "C" double objective(const double *x, int n) {
    std::vector<std::function<long double(long double)>> events;
    events.push_back([](long double y) { return y * y; });
    if (n > 2)
        events.push_back([level = static_cast<long double>(x[1])](long double y) { return y * level; });
    long double v = x[0];
    for (const auto &e : events) v += e(v);
    return static_cast<double>(v);
}

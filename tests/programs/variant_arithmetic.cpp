// check: array n=8
// The words of integers and numbers come from one choice.
#include <cstdint>
#include <variant>
using Value = std::variant<std::int64_t, double>;
static Value plus(const Value &a, const Value &b) {
    if (a.index() == 0 && b.index() == 0) return std::get<0>(a) + std::get<0>(b);
    auto n = [](const Value &v) { return v.index() == 0 ? (double)std::get<0>(v) : std::get<1>(v); };
    return n(a) + n(b);
}
static Value times(const Value &a, const Value &b) {
    if (a.index() == 0 && b.index() == 0) return std::get<0>(a) * std::get<0>(b);
    auto n = [](const Value &v) { return v.index() == 0 ? (double)std::get<0>(v) : std::get<1>(v); };
    return n(a) * n(b);
}
extern "C" double objective(const double *x, int n) {
    Value sum = std::int64_t(3), product = std::int64_t(1);
    for (int i = 0; i < n; i++) {
        Value v = i % 4 ? Value(x[i]) : Value(std::int64_t(i + 2));
        sum = plus(sum, times(v, v));
        product = times(product, v);
    }
    Value t = plus(sum, product);
    return t.index() ? std::get<1>(t) : 0.0;
}

// check: array n=8
// The words of integers and numbers come from one choice.
#include <cstdint>
#include <variant>
#include <vector>
using Value = std::variant<std::int64_t, double>;
extern "C" double objective(const double *x, int n) {
    std::vector<Value> list;
    for (int i = 0; i < n; i++)
        if (i % 3 == 1) list.push_back(std::int64_t(i)); else list.push_back(x[i] * x[(i + 1) % n]);
    std::int64_t count = 0; double sum = 0;
    for (const Value &v : list)
        std::visit([&](auto t) { if constexpr (std::is_same_v<decltype(t), double>) sum += t * t; else count += t; }, v);
    return sum * count;
}

// check: array n=5
// Variants of trivial and owning types as values of a map with strings as keys; visits that return optionals.
#include <variant>
#include <optional>
#include <map>
#include <string>
#include <vector>
#include <cmath>
struct lin { double a; }; struct quad { double a, b; }; struct tab { std::vector<double> v; };
using law = std::variant<lin, quad, tab>;
static std::optional<double> eval(const law &l, double t)
{
    return std::visit([&](const auto &k) -> std::optional<double> {
        using K = std::decay_t<decltype(k)>;
        if constexpr (std::is_same_v<K, lin>) return k.a * t;
        else if constexpr (std::is_same_v<K, quad>) return k.a * t * t + k.b;
        else { if (k.v.empty()) return std::nullopt; return k.v[0] * std::sin(t) + k.v.back(); }
    }, l);
}
extern "C" double objective(const double *x, int n)
{
    std::map<std::string, law> laws;
    laws["lin"] = lin{x[0]};
    laws["quad"] = quad{x[1], x[2]};
    laws["tab"] = tab{{x[3], x[4] * x[0]}};
    laws["none"] = tab{};
    double s = 0;
    for (auto &[name, l] : laws) s += eval(l, 0.5 + x[1]).value_or(x[2]) * (double)name.size();
    laws["lin"] = laws["quad"];
    s += eval(laws["lin"], x[0]).value();
    return s;
}

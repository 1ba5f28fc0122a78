// check: array n=4,7 range=0.5:2.0
// Values of a language with integers and numbers: integers are multiplied, divided and shifted beside the numbers.
#include <cstdint>
#include <variant>
#include <vector>
using Value = std::variant<std::int64_t, double>;

struct Times
{
    Value operator()(std::int64_t a, std::int64_t b) const { return a * b; }
    template <class A, class B> Value operator()(A a, B b) const { return static_cast<double>(a) * static_cast<double>(b); }
};
static Value plus(const Value &a, const Value &b)
{
    return std::visit([](auto p, auto q) -> Value { return p + q; }, a, b);
}
static Value less(const Value &a, const Value &b)
{
    if (auto p = std::get_if<std::int64_t>(&a))
        if (auto q = std::get_if<std::int64_t>(&b)) return *q ? *p / *q - (*p % *q << 1) : *p;
    return std::visit([](auto p, auto q) -> Value { return p - q; }, a, b);
}
static Value run(const std::vector<char> &code, const std::vector<Value> &inputs)
{
    std::vector<Value> stack;
    for (char c : code) {
        if (c >= 'a') {
            stack.push_back(inputs[c - 'a']);
            continue;
        }
        if (c >= '0') {
            stack.push_back(std::int64_t{c - '0'});
            continue;
        }
        Value b = stack.back();
        stack.pop_back();
        Value a = stack.back();
        stack.pop_back();
        stack.push_back(c == '*' ? std::visit(Times{}, a, b) : c == '+' ? plus(a, b) : less(a, b));
    }
    return stack.back();
}
extern "C" double objective(double *x, int n)
{
    std::vector<Value> inputs;
    for (int i = 0; i < n; i++) {
        inputs.emplace_back(x[i]);
        inputs.emplace_back(std::int64_t{i} * 3);
    }
    const char text[] = "34*a*2b+3*c*-57*9-d2*-ca*+a*+e*8-";
    Value found = run({text, text + sizeof text - 1}, inputs);
    return std::visit([](auto p) { return static_cast<double>(p) * 0.125; }, found);
}

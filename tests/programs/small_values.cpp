// check: array n=6 real=float
// Small classes by value whose bytes beside the float are fewer than its own, and what the library makes of such: objects
// with padding that clang moves as integers of 40 and 48 bits, optional and pair in containers, and declared members.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace {
class Quantity {
    float value;
    std::uint8_t unit;
    std::int8_t scale;

public:
    Quantity(float value, std::uint8_t unit, std::int8_t scale = 0) : value(value), unit(unit), scale(scale) {}
    __attribute__((noinline)) friend Quantity operator*(Quantity a, Quantity b)
    {
        return {a.value * b.value, (std::uint8_t)(a.unit + b.unit), (std::int8_t)(a.scale + b.scale)};
    }
    __attribute__((noinline)) friend Quantity operator+(Quantity a, Quantity b)
    {
        while (a.scale < b.scale) {
            b.value *= 2;
            b.scale--;
        }
        while (b.scale < a.scale) {
            a.value *= 2;
            a.scale--;
        }
        return {a.value + b.value, a.unit, a.scale};
    }
    __attribute__((noinline)) float get() const
    {
        float result = value;
        for (int i = 0; i < scale; i++)
            result *= 2;
        return result * (unit & 1 ? 1.f : 0.5f);
    }
};
struct Hit {
    bool hit;
    float t;
    std::uint32_t id;
};
struct Edge {
    int to;
    float weight;
};

__attribute__((noinline)) std::optional<float> root(float v)
{
    if (v < 0.2f)
        return std::nullopt;
    return v * v + 1;
}
__attribute__((noinline)) std::optional<float> times(std::optional<float> a, float y)
{
    if (!a)
        return y;
    return *a * y;
}
__attribute__((noinline)) Hit nearer(Hit a, Hit b)
{
    if (!a.hit || (b.hit && b.t < a.t))
        return {b.hit, b.t * b.t, b.id + 1};
    return a;
}
}

extern "C" float objective(const float *x, int n)
{
    Quantity q(0, 0);
    std::vector<Quantity> quantities;
    for (int i = 0; i < n; i++)
        quantities.emplace_back(x[i], (std::uint8_t)i, (std::int8_t)(i % 3));
    for (int i = 0; i < n; i++)
        q = q + quantities[i] * quantities[(i + 1) % n];
    auto kept = std::make_unique<Quantity>(q * q);
    float result = q.get() + 0.02f * kept->get();
    std::optional<float> product;
    std::vector<std::optional<float>> all;
    std::vector<std::vector<Edge>> edges(n);
    Hit best{false, 0, 0};
    for (int i = 0; i < n; i++) {
        product = times(root(x[i] - 0.6f), product.value_or(0.5f) * 0.5f + x[(i + 2) % n]);
        all.push_back(i % 2 ? root(x[i]) : std::nullopt);
        edges[i].push_back({(i + 1) % n, x[i] * x[i]});
        edges[i].push_back(Edge{(i + 2) % n, x[i] + x[(i + 1) % n]});
        best = nearer(best, {i % 3 != 0, x[i] * 0.1f + (float)i, (std::uint32_t)i});
    }
    for (auto &one : all)
        if (one)
            result += *one * x[0];
    for (auto &list : edges)
        for (Edge edge : list)
            result += edge.weight * (float)edge.to * 0.1f;
    return result + product.value_or(1) + best.t * (float)best.id;
}

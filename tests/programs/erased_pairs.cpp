// check: array n=2 tol=1e-2 identity=1e-4 lenient=1
// Type erasure in a small buffer: two numbers in single precision in one class, a shared pointer in another.
#include <cstddef>
#include <memory>
#include <new>
#include <vector>
struct Table { float (*value)(const void *, float); void (*copy)(const void *, void *); void (*destroy)(void *); };
struct Line { float a, b; float operator()(float t) const { return a * t + b; } };
struct Scaled { std::shared_ptr<const float> of; float operator()(float t) const { return *of * t; } };
template <class M> static constexpr Table table{[](const void *m, float t) { return (*static_cast<const M *>(m))(t); }, [](const void *m, void *to) { new (to) M(*static_cast<const M *>(m)); }, [](void *m) { static_cast<M *>(m)->~M(); }};
struct Any {
    alignas(16) std::byte buffer[32];
    const Table *t;
    template <class M> Any(const M &m) : t(&table<M>) { new (buffer) M(m); }
    Any(const Any &o) : t(o.t) { t->copy(o.buffer, buffer); }
    ~Any() { t->destroy(buffer); }
};
extern "C" double objective(const double *x, int n)
{
    std::vector<Any> both;
    both.push_back(Line{float(x[0]), float(x[1])});
    both.push_back(Scaled{std::make_shared<const float>(x[1])});
    double s = 0;
    for (auto &a : both) s += a.t->value(a.buffer, 2.0f);
    return s;
}

// check: array n=9
// Intrusive lists of particles in an arena by placement new; policies; CRTP integrators; custom deleter.
#include <new>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <cmath>
#include <utility>
namespace {
struct Link { Link *next = nullptr, *prev = nullptr; };
struct Particle : Link { double x, v, m; int id; Particle(double a, double b, double c, int i) : x(a), v(b), m(c), id(i) {} };
class Arena {
    std::byte *memory;
    size_t used = 0, size;
  public:
    explicit Arena(size_t s) : memory(static_cast<std::byte *>(std::malloc(s))), size(s) {}
    ~Arena() { std::free(memory); }
    Arena(const Arena &) = delete;
    template <class T, class... A> T *make(A &&...a)
    {
        size_t at = (used + alignof(T) - 1) & ~(alignof(T) - 1);
        if (at + sizeof(T) > size) throw std::bad_alloc();
        used = at + sizeof(T);
        return new (memory + at) T(std::forward<A>(a)...);
    }
};
class List {
    Link head;
  public:
    List() { head.next = head.prev = &head; }
    void push(Particle *p) { p->prev = head.prev; p->next = &head; head.prev->next = p; head.prev = p; }
    static void unlink(Particle *p) { p->prev->next = p->next; p->next->prev = p->prev; }
    template <class F> void each(F f)
    {
        for (Link *l = head.next; l != &head;) {
            Link *next = l->next;
            f(*static_cast<Particle *>(l));
            l = next;
        }
    }
};
struct Harmonic { static double force(double x) { return -x; } };
struct Cubic { static double force(double x) { return -x * x * x; } };
template <class D> struct Integrator {
    void step(Particle &p, double h) { static_cast<D *>(this)->advance(p, h); }
};
template <class Force> struct Euler : Integrator<Euler<Force>> {
    void advance(Particle &p, double h) { p.v += h * Force::force(p.x) / p.m; p.x += h * p.v; }
};
template <class Force> struct Verlet : Integrator<Verlet<Force>> {
    void advance(Particle &p, double h)
    {
        p.v += h / 2 * Force::force(p.x) / p.m;
        p.x += h * p.v;
        p.v += h / 2 * Force::force(p.x) / p.m;
    }
};
template <class M> double run(List &list, Integrator<M> &&method, int steps)
{
    double work = 0;
    for (int k = 0; k < steps; k++)
        list.each([&](Particle &p) { double before = p.v; method.step(p, 0.05); work += p.m * (p.v - before) * p.x; });
    return work;
}
}
extern "C" double objective(const double *x, int n)
{
    Arena arena(4096);
    List left, right;
    for (int i = 0; i < n; i++) left.push(arena.make<Particle>(x[i], 0.1 * i, 1 + x[(i + 1) % n], i));
    double sum = run(left, Verlet<Harmonic>(), 10);
    left.each([&](Particle &p) {
        if (p.id % 2) { List::unlink(&p); right.push(&p); }
    });
    sum += run(right, Euler<Cubic>(), 5);
    double *extra = arena.make<double>(x[0]);
    left.each([&](Particle &p) { sum += p.x * p.x + *extra; });
    right.each([&](Particle &p) { sum += p.v * p.m; });
    std::unique_ptr<double[], void (*)(void *)> buffer(static_cast<double *>(std::malloc(n * sizeof(double))), std::free);
    for (int i = 0; i < n; i++) buffer[i] = x[i] * sum;
    return buffer[0] + buffer[n - 1];
}

// check: main flags=-std=c++17
// Forward over reverse, through virtual functions, function objects and a deque of vectors.
#include <cstdio>
#include <vector>
#include <functional>
#include <deque>
extern int enzyme_dup, enzyme_const;
template <class R, class... T> R __enzyme_fwddiff(void *, T...);
template <class R, class... T> R __enzyme_autodiff(void *, T...);
struct Layer { virtual ~Layer() = default; virtual std::vector<double> apply(const std::vector<double> &) const = 0; };
struct Scale : Layer { const double *w; explicit Scale(const double *w) : w(w) {} std::vector<double> apply(const std::vector<double> &v) const override { auto r = v; for (auto &e : r) e *= *w * e; return r; } };
struct Activation : Layer { std::function<double(double)> f; explicit Activation(std::function<double(double)> f) : f(std::move(f)) {} std::vector<double> apply(const std::vector<double> &v) const override { auto r = v; for (auto &e : r) e = f(e); return r; } };
static double loss(const double *p)
{
    Scale a(p);
    Activation b([s = p[1]](double t) { return s * t * t; });
    const Layer *net[] = {&a, &b};
    std::deque<std::vector<double>> recent;
    std::vector<double> u{1, p[1]};
    for (auto *l : net) { u = l->apply(u); recent.push_back(u); }
    return u[0] * recent.front()[1];
}
static void gradient(const double *p, double *g) { __enzyme_autodiff<void>((void *)loss, enzyme_dup, p, g); }
int main()
{
    double p[2] = {0.5, 0.7}, v[2] = {1, 0}, g[2] = {}, h[2] = {}, q[2] = {0.5 + 1e-5, 0.7}, a[2] = {}, b[2] = {};
    __enzyme_fwddiff<void>((void *)gradient, enzyme_dup, (const double *)p, (const double *)v, enzyme_dup, g, h);
    gradient(q, a); q[0] -= 2e-5; gradient(q, b);
    std::printf("%g (%g) %g (%g)\n", h[0], (a[0] - b[0]) / 2e-5, h[1], (a[1] - b[1]) / 2e-5);
    double d = h[1] - (a[1] - b[1]) / 2e-5;
    return !(d * d < 1e-8);
}

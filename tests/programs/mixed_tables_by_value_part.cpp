#include <cmath>
#include <memory>
#include <stdexcept>
#include <vector>
namespace {
struct Ops { double (*eval)(const void *, double); double (*slope)(const void *, double); };
class Method { public: virtual double step(double x) = 0; virtual ~Method() = default; };
class Newton : public Method { Ops o; const void *c; public: Newton(Ops o, const void *c) : o(o), c(c) {} double step(double x) override { return x - o.eval(c, x) / o.slope(c, x); } };
class Secant : public Method { Ops o; const void *c; std::vector<double> last; public: Secant(Ops o, const void *c) : o(o), c(c) {} double step(double x) override { double x0 = last.empty() ? x - 0.1 : last.back(); last.push_back(x); double f1 = o.eval(c, x), f0 = o.eval(c, x0); if (std::fabs(f1 - f0) < 1e-300) return x; return x - f1 * (x - x0) / (f1 - f0); } };
struct Handle { std::unique_ptr<Method> m; double tol; };
}
extern "C" void *newton_new(Ops ops, const void *ctx, double tol) { auto h = std::make_unique<Handle>(); if (ops.slope) h->m = std::make_unique<Newton>(ops, ctx); else h->m = std::make_unique<Secant>(ops, ctx); h->tol = tol; return h.release(); }
extern "C" double newton_run(void *p, double x, int *iters) { auto *h = static_cast<Handle *>(p); for (*iters = 0; *iters < 40; ++*iters) { double next = h->m->step(x); double d = std::fabs(next - x); x = next; if (d < h->tol) break; } if (!std::isfinite(x)) throw std::runtime_error("diverged"); return x; }
extern "C" void newton_delete(void *p) { delete static_cast<Handle *>(p); }

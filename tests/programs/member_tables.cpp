// check: array n=4
// Tables of pointers to members: data, functions, virtual functions; std::invoke.
#include <array>
#include <functional>
struct body {
    double mass, charge, spin;
    double energy(double f) const { return mass * f * f; }
    double field(double f) const { return charge / (1 + f * f); }
    virtual double twist(double f) const { return spin * f; }
    virtual ~body() = default;
};
struct heavy : body { double extra; double twist(double f) const override { return spin * f + extra * f * f; } };
extern "C" double objective(const double *x, int n)
{
    heavy b; b.mass = x[0]; b.charge = x[1]; b.spin = x[2]; b.extra = x[3];
    double body::*members[] = {&body::mass, &body::charge, &body::spin};
    double (body::*laws[])(double) const = {&body::energy, &body::field, &body::twist};
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += (b.*laws[i % 3])(b.*members[(i + 1) % 3]);
        b.*members[i % 3] += 0.5 * x[i];
        s += std::invoke(members[i % 3], b) * std::invoke(laws[(i + 2) % 3], b, x[i]);
    }
    return s;
}

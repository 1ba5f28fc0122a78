// check: array n=6
// Static polymorphism: a base class template that calls its derived class.
#include <cmath>

template <class Derived> struct Potential {
    double energy(double r) const { return self().raw(r) - self().raw(2.0); }
    double force(double r) const { return (energy(r + 0.25) - energy(r - 0.25)) / 0.5; }

  private:
    const Derived &self() const { return static_cast<const Derived &>(*this); }
};

struct LennardJones : Potential<LennardJones> {
    double epsilon, sigma;
    LennardJones(double e, double s) : epsilon(e), sigma(s) {}
    double raw(double r) const
    {
        double q = std::pow(sigma / r, 6);
        return 4.0 * epsilon * (q * q - q);
    }
};

struct Spring : Potential<Spring> {
    double k;
    explicit Spring(double stiffness) : k(stiffness) {}
    double raw(double r) const { return 0.5 * k * (r - 1.0) * (r - 1.0); }
};

template <class P> static double total(const Potential<P> &p, const double *x, int n)
{
    double sum = 0.0;
    for (int i = 2; i < n; i++)
        sum += p.energy(x[i] + 0.8) + 0.1 * p.force(x[i] + 1.0);
    return sum;
}

extern "C" double objective(const double *x, int n)
{
    return total(LennardJones(x[0], 0.5 * x[1]), x, n) + total(Spring(x[1]), x, n);
}

// check: array n=6
// An object that keeps pointers to other objects and a callable as a template parameter.
#include <cmath>
#include <vector>

struct Spring {
    double *a, *b;
    double stiffness;
    double energy() const
    {
        double stretch = *a - *b;
        return 0.5 * stiffness * stretch * stretch;
    }
};

template <class Damping> struct Chain {
    std::vector<Spring> springs;
    Damping damping;
    double energy() const
    {
        double sum = 0.0;
        for (const Spring &s : springs)
            sum += damping(s.energy());
        return sum;
    }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<double> at(x, x + n);
    auto damping = [factor = x[0]](double e) { return e / (1.0 + factor * e); };
    Chain<decltype(damping)> chain{{}, damping};
    for (int i = 0; i + 1 < n; i++)
        chain.springs.push_back({&at[i], &at[i + 1], x[i] * x[n - 1]});
    double before = chain.energy();
    for (double &v : at)
        v = v * v;
    return before + chain.energy();
}

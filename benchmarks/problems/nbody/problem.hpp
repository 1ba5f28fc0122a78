#pragma once
#include "nbody.h"
#include "problem_base.hpp"

extern "C" decltype(nbody_gradient) nbody_gradient_by_hand;

struct Problem : ProblemBase<decltype(&nbody_gradient)> {
    static constexpr Gradient generated = nbody_gradient, hand = nbody_gradient_by_hand;
    int n = 64, steps = 100;
    double dt = 1e-3, softening = 1e-2;

    Problem()
    {
        Random r(6);
        fill(6 * n, [&] { return r.normal(); });
        fill(n, [&] { return 0.5 + r.uniform(); });
    }
    double primal() const
    {
        return nbody_objective(n, steps, dt, softening, x.data(), x.data() + 3 * n, x.data() + 6 * n);
    }
    void gradient(Gradient f, double *g) const
    {
        f(n, steps, dt, softening, x.data(), x.data() + 3 * n, x.data() + 6 * n, g, g + 3 * n, g + 6 * n);
    }
};

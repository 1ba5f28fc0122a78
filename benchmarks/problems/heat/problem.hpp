#pragma once
#include "heat.h"
#include "problem_base.hpp"

extern "C" decltype(heat_gradient) heat_gradient_by_hand;

struct Problem : ProblemBase<decltype(&heat_gradient)> {
    static constexpr Gradient generated = heat_gradient, hand = heat_gradient_by_hand;
    int n = 64, steps = 200, cells = n * n;
    double dt = 0.1;

    Problem()
    {
        Random r(15);
        fill(cells, [&] { return r.normal(); });
        fill(cells, [&] { return 0.5 + r.uniform(); });
    }
    double primal() const { return heat_objective(n, steps, dt, x.data(), x.data() + cells); }
    void gradient(Gradient f, double *g) const { f(n, steps, dt, x.data(), x.data() + cells, g, g + cells); }
};

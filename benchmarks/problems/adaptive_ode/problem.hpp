#pragma once
#include "adaptive_ode.h"
#include "problem_base.hpp"

extern "C" decltype(adaptive_ode_gradient) adaptive_ode_gradient_by_hand;

struct Problem : ProblemBase<decltype(&adaptive_ode_gradient)> {
    static constexpr Gradient generated = adaptive_ode_gradient, hand = adaptive_ode_gradient_by_hand;
    double end = 20.0, tol = 1e-6;

    Problem() { x = {1.0, 1.0, 1.5, 1.0, 1.0, 3.0}; }
    double primal() const { return adaptive_ode_objective(x.data(), x.data() + 2, end, tol); }
    void gradient(Gradient f, double *g) const { f(x.data(), x.data() + 2, end, tol, g, g + 2); }
};

#pragma once
#include "dopri.h"
#include "problem_base.hpp"

extern "C" decltype(dopri_gradient) dopri_gradient_by_hand;

struct Problem : ProblemBase<decltype(&dopri_gradient)> {
    static constexpr Gradient generated = dopri_gradient, hand = dopri_gradient_by_hand;
    double end = 200.0, tol = 1e-13;

    Problem() { x = {1.0, 1.0, 1.5, 1.0, 1.0, 3.0}; }
    double primal() const { return dopri_objective(x.data(), x.data() + 2, end, tol); }
    void gradient(Gradient f, double *g) const { f(x.data(), x.data() + 2, end, tol, g, g + 2); }
};

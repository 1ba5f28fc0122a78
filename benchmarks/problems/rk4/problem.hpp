#pragma once
#include "rk4.h"
#include "problem_base.hpp"

extern "C" decltype(rk4_gradient) rk4_gradient_by_hand;

struct Problem : ProblemBase<decltype(&rk4_gradient)> {
    static constexpr Gradient generated = rk4_gradient, hand = rk4_gradient_by_hand;
    int steps = 50000;
    double h = 1.0 / 50000;

    Problem() { x = {1.0, 0.5, 12.0, 10.0, 28.0, 8.0 / 3.0}; }
    double primal() const { return rk4_objective(steps, h, x.data(), x.data() + 3); }
    void gradient(Gradient f, double *g) const { f(steps, h, x.data(), x.data() + 3, g, g + 3); }
};

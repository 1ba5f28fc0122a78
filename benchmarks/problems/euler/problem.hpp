#pragma once
#include "euler.h"
#include "problem_base.hpp"

extern "C" decltype(euler_gradient) euler_gradient_by_hand;

struct Problem : ProblemBase<decltype(&euler_gradient)> {
    static constexpr Gradient generated = euler_gradient, hand = euler_gradient_by_hand;
    int steps = 100000;
    double h = 1.0 / 100000;

    Problem() { x = {1.0, 0.5, 12.0, 10.0, 28.0, 8.0 / 3.0}; }
    double primal() const { return euler_objective(steps, h, x.data(), x.data() + 3); }
    void gradient(Gradient f, double *g) const { f(steps, h, x.data(), x.data() + 3, g, g + 3); }
};

#pragma once
#include "brusselator.h"
#include "problem_base.hpp"
#include <cmath>

extern "C" decltype(brusselator_gradient) brusselator_gradient_by_hand;

struct Problem : ProblemBase<decltype(&brusselator_gradient)> {
    static constexpr Gradient generated = brusselator_gradient, hand = brusselator_gradient_by_hand;
    int n = 32, steps = 100, cells = n * n;
    double dt = 1e-3;

    Problem()
    {
        for (int part = 0; part < 2; part++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++) {
                    const double at = double(part ? j : i) / n;
                    x.push_back((part ? 27.0 : 22.0) * std::pow(at * (1.0 - at), 1.5));
                }
        x.insert(x.end(), {3.4, 1.0, 0.1});
    }
    double primal() const { return brusselator_objective(n, steps, dt, x.data(), x.data() + 2 * cells); }
    void gradient(Gradient f, double *g) const { f(n, steps, dt, x.data(), x.data() + 2 * cells, g, g + 2 * cells); }
};

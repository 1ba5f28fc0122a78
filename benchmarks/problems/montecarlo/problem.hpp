#pragma once
#include "montecarlo.h"
#include "problem_base.hpp"

extern "C" decltype(montecarlo_gradient) montecarlo_gradient_by_hand;

struct Problem : ProblemBase<decltype(&montecarlo_gradient)> {
    static constexpr Gradient generated = montecarlo_gradient, hand = montecarlo_gradient_by_hand;
    int paths = 4000, steps = 64;
    double years = 1.0;
    std::vector<double> normal;

    Problem()
    {
        Random r(13);
        x = {100.0, 98.0, 0.03};
        fill(steps, [&] { return 0.15 + 0.1 * r.uniform(); });
        for (int i = 0; i < paths * steps; i++)
            normal.push_back(r.normal());
    }
    std::vector<double> constants() const { return normal; }
    double primal() const { return montecarlo_objective(paths, steps, years, x.data(), x.data() + 3, normal.data()); }
    void gradient(Gradient f, double *g) const { f(paths, steps, years, x.data(), x.data() + 3, normal.data(), g, g + 3); }
};

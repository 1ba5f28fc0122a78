#pragma once
#include "problem_base.hpp"
#include "vecnorm.h"

extern "C" decltype(vecnorm_gradient) vecnorm_gradient_by_hand;

struct Problem : ProblemBase<decltype(&vecnorm_gradient)> {
    static constexpr Gradient generated = vecnorm_gradient, hand = vecnorm_gradient_by_hand;
    int n = 2000;
    std::vector<double> weight;
    mutable std::vector<double> out;

    Problem() : out(n)
    {
        Random r(5);
        fill(n, [&] { return r.normal(); });
        for (int i = 0; i < n; i++)
            weight.push_back(r.normal());
    }
    std::vector<double> constants() const { return weight; }
    double primal() const { return vecnorm_objective(n, weight.data(), x.data(), out.data()); }
    void gradient(Gradient f, double *g) const { f(n, weight.data(), x.data(), g); }
};

#pragma once
#include "lstm.h"
#include "problem_base.hpp"

extern "C" decltype(lstm_gradient) lstm_gradient_by_hand;

struct Problem : ProblemBase<decltype(&lstm_gradient)> {
    static constexpr Gradient generated = lstm_gradient, hand = lstm_gradient_by_hand;
    int l = 2, b = 14, c = 1024, weights = l * 8 * b;
    std::vector<double> state, sequence;

    Problem()
    {
        Random r(3);
        fill(weights + 3 * b, [&] { return 0.5 * r.normal(); });
        for (int i = 0; i < 2 * l * b; i++)
            state.push_back(0.5 * r.normal());
        for (int i = 0; i < c * b; i++)
            sequence.push_back(r.uniform() < 0.5 ? 0.0 : 1.0);
    }
    std::vector<double> constants() const
    {
        std::vector<double> all = state;
        all.insert(all.end(), sequence.begin(), sequence.end());
        return all;
    }
    double primal() const
    {
        return lstm_objective(l, b, c, x.data(), x.data() + weights, state.data(), sequence.data());
    }
    void gradient(Gradient f, double *g) const
    {
        f(l, b, c, x.data(), x.data() + weights, state.data(), sequence.data(), g, g + weights);
    }
};

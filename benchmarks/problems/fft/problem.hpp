#pragma once
#include "fft.h"
#include "problem_base.hpp"

extern "C" decltype(fft_gradient) fft_gradient_by_hand;

struct Problem : ProblemBase<decltype(&fft_gradient)> {
    static constexpr Gradient generated = fft_gradient, hand = fft_gradient_by_hand;
    int n = 1 << 15;
    std::vector<double> w;

    Problem()
    {
        Random r(11);
        fill(2 * n, [&] { return r.normal(); });
        for (int k = 0; k < n; k++)
            w.push_back(r.uniform() / n);
    }
    std::vector<double> constants() const { return w; }
    double primal() const { return fft_objective(n, x.data(), w.data()); }
    void gradient(Gradient f, double *g) const { f(n, x.data(), w.data(), g); }
};

#pragma once
#include "cholesky.h"
#include "problem_base.hpp"

extern "C" decltype(cholesky_gradient) cholesky_gradient_by_hand;

struct Problem : ProblemBase<decltype(&cholesky_gradient)> {
    static constexpr Gradient generated = cholesky_gradient, hand = cholesky_gradient_by_hand;
    int n = 128;

    Problem()
    {
        Random r(9);
        std::vector<double> m(n * n);
        for (double &v : m)
            v = r.normal();
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = i == j ? 1.0 : 0.0;
                for (int k = 0; k < n; k++)
                    sum += m[i * n + k] * m[j * n + k] / n;
                x.push_back(sum);
            }
        fill(n, [&] { return r.normal(); });
    }
    double primal() const { return cholesky_objective(n, x.data(), x.data() + n * n); }
    void gradient(Gradient f, double *g) const { f(n, x.data(), x.data() + n * n, g, g + n * n); }
};

#pragma once
#include "gmm.h"
#include "problem_base.hpp"

extern "C" decltype(gmm_gradient) gmm_gradient_by_hand;

struct Problem : ProblemBase<decltype(&gmm_gradient)> {
    static constexpr Gradient generated = gmm_gradient, hand = gmm_gradient_by_hand;
    int d = 10, k = 25, n = 1000, m = 0;
    double gamma = 1.0;
    std::vector<double> data;

    Problem()
    {
        Random r(1);
        fill(k, [&] { return r.normal(); });
        fill(k * d, [&] { return r.uniform(); });
        fill(k * (d + d * (d - 1) / 2), [&] { return 0.3 * r.normal(); });
        data.resize(n * d);
        for (double &v : data)
            v = r.normal();
    }
    std::vector<double> constants() const { return data; }
    double primal() const
    {
        return gmm_objective(d, k, n, x.data(), x.data() + k, x.data() + k + k * d, data.data(), gamma, m);
    }
    void gradient(Gradient f, double *g) const
    {
        f(d, k, n, x.data(), x.data() + k, x.data() + k + k * d, data.data(), gamma, m, g, g + k, g + k + k * d);
    }
};

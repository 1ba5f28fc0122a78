#pragma once
#include "mlp.h"
#include "problem_base.hpp"
#include <cmath>

extern "C" decltype(mlp_gradient) mlp_gradient_by_hand;

struct Problem : ProblemBase<decltype(&mlp_gradient)> {
    static constexpr Gradient generated = mlp_gradient, hand = mlp_gradient_by_hand;
    int batch = 64, in = 128, mid = 128, classes = 10;
    std::vector<double> rows;
    std::vector<int> label;

    Problem()
    {
        Random r(8);
        auto layer = [&](int from, int to) {
            fill(from * to, [&] { return r.normal() / std::sqrt(double(from)); });
            fill(to, [&] { return 0.1 * r.normal(); });
        };
        layer(in, mid);
        layer(mid, mid);
        layer(mid, classes);
        for (int i = 0; i < batch * in; i++)
            rows.push_back(r.normal());
        for (int i = 0; i < batch; i++)
            label.push_back(int(r.uniform() * classes));
    }
    std::vector<double> constants() const
    {
        std::vector<double> all = rows;
        all.insert(all.end(), label.begin(), label.end());
        return all;
    }
    double primal() const { return mlp_objective(batch, in, mid, classes, x.data(), rows.data(), label.data()); }
    void gradient(Gradient f, double *g) const
    {
        f(batch, in, mid, classes, x.data(), rows.data(), label.data(), g);
    }
};

#pragma once
#include "problem_base.hpp"
#include "spmv.h"

extern "C" decltype(spmv_gradient) spmv_gradient_by_hand;

struct Problem : ProblemBase<decltype(&spmv_gradient)> {
    static constexpr Gradient generated = spmv_gradient, hand = spmv_gradient_by_hand;
    int n = 20000, rounds = 20;
    std::vector<int> first{0}, column;

    Problem()
    {
        Random r(12);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 8; k++)
                column.push_back(k ? int(r.uniform() * n) : i);
            first.push_back(int(column.size()));
        }
        fill(int(column.size()), [&] { return r.normal(); });
        fill(n, [&] { return r.normal(); });
    }
    double primal() const { return spmv_objective(n, rounds, first.data(), column.data(), x.data(), x.data() + column.size()); }
    void gradient(Gradient f, double *g) const
    {
        const std::size_t m = column.size();
        f(n, rounds, first.data(), column.data(), x.data(), x.data() + m, g, g + m);
    }
};

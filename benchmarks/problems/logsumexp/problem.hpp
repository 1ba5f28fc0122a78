#pragma once
#include "logsumexp.h"
#include "problem_base.hpp"

extern "C" decltype(logsumexp_gradient) logsumexp_gradient_by_hand;

struct Problem : ProblemBase<decltype(&logsumexp_gradient)> {
    static constexpr Gradient generated = logsumexp_gradient, hand = logsumexp_gradient_by_hand;
    int n = 1000000;

    Problem()
    {
        Random r(4);
        fill(n, [&] { return r.normal(); });
    }
    double primal() const { return logsumexp(n, x.data()); }
    void gradient(Gradient f, double *g) const { f(n, x.data(), g); }
};

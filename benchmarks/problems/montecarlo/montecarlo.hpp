// montecarlo.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>

template <class T> void evaluate(const Problem &p, int, const T *market, T *y)
{
    using std::exp;
    const T *vol = market + 3;
    const double dt = p.years / p.steps, root = std::sqrt(dt);
    T total = 0.0;
    for (int path = 0; path < p.paths; path++) {
        T price = market[0], sum = 0.0;
        for (int i = 0; i < p.steps; i++) {
            price *= exp((market[2] - 0.5 * vol[i] * vol[i]) * dt + vol[i] * root * p.normal[path * p.steps + i]);
            sum += price;
        }
        const T gain = sum / double(p.steps) - market[1];
        if (gain > 0.0)
            total += gain;
    }
    y[0] = exp(-market[2] * p.years) * total / double(p.paths);
}

// Sacado's reverse mode.
#include <Sacado_trad.hpp>
#include PRIMAL
#include "rival.hpp"

using Real = Sacado::Rad::ADvar<double>;

static void jacobian(const Problem &p, int block, int inputs, const double *x, double *out)
{
    constexpr int rows = Problem::per_block;
    std::vector<Real> a(inputs);
    Real y[rows];
    for (int i = 0; i < inputs; i++)
        a[i] = x[i];
    evaluate<Real>(p, block, a.data(), y);
    for (int r = 0; r < rows; r++) {
        Real *outputs[rows];
        double seed[rows] = {};
        for (int i = 0; i < rows; i++)
            outputs[i] = &y[i];
        seed[r] = 1.0;
        Real::Weighted_Gradcomp(rows, outputs, seed);
        for (int i = 0; i < inputs; i++)
            out[r * inputs + i] = a[i].adj();
    }
}

static void gradient(const Problem &p, double *g)
{
    every_block(p, g, [&](int block, int inputs, const double *x, double *out) { jacobian(p, block, inputs, x, out); });
}

[[maybe_unused]] static const bool listed = (rivals().push_back({"sacado", gradient}), true);

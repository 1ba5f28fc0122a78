// ADOL-C: taped anew at every call, as branches on values require, the tape of a large one in memory.
#include PRIMAL
#include "rival.hpp"
#include <adolc/adolc.h>

static void jacobian(const Problem &p, int block, int inputs, const double *x, double *out)
{
    const std::size_t room = std::size_t(1) << (p.blocks() == 1 ? 28 : 12);
    constexpr int rows = Problem::per_block;
    trace_on(1, 1, room, room, room, room, 0);
    {
        std::vector<adouble> a(inputs), y(rows);
        for (int i = 0; i < inputs; i++)
            a[i] <<= x[i];
        evaluate<adouble>(p, block, a.data(), y.data());
        double value;
        for (adouble &v : y)
            v >>= value;
    }
    trace_off();
    for (int r = 0; r < rows; r++) {
        double seed[rows] = {};
        seed[r] = 1.0;
        reverse(1, rows, inputs, 0, seed, out + r * inputs);
    }
}

static void gradient(const Problem &p, double *g)
{
    every_block(p, g, [&](int block, int inputs, const double *x, double *out) { jacobian(p, block, inputs, x, out); });
}

[[maybe_unused]] static const bool listed = (rivals().push_back({"adolc", gradient}), true);

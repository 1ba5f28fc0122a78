// One-sided finite differences of the compiled primal; left out where they would call it more than 3,000 times.
#include "rival.hpp"
#include <algorithm>
#include <cmath>

template <class P> void whole(const P &p, double *g)
{
    P moved = p;
    const double value = p.primal();
    for (std::size_t i = 0; i < p.x.size(); i++) {
        const double step = 1.5e-8 * std::max(1.0, std::fabs(p.x[i]));
        moved.x[i] = p.x[i] + step;
        g[i] = (moved.primal() - value) / (moved.x[i] - p.x[i]);
        moved.x[i] = p.x[i];
    }
}

template <class P> void by_block(const P &p, double *g)
{
    every_block(p, g, [&](int block, int inputs, const double *x, double *out) {
        double y[P::per_block], z[P::per_block];
        std::vector<double> moved(x, x + inputs);
        p.residual(block, x, y);
        for (int i = 0; i < inputs; i++) {
            const double step = 1.5e-8 * std::max(1.0, std::fabs(x[i]));
            moved[i] = x[i] + step;
            p.residual(block, moved.data(), z);
            for (int r = 0; r < P::per_block; r++)
                out[r * inputs + i] = (z[r] - y[r]) / (moved[i] - x[i]);
            moved[i] = x[i];
        }
    });
}

template <class P> void differences(const P &p, double *g)
{
    if constexpr (P::per_block == 1)
        whole(p, g);
    else
        by_block(p, g);
}

[[maybe_unused]] static const bool listed = [] {
    const Problem p;
    if (int(p.x.size()) / p.blocks() <= 3000)
        rivals().push_back({"differences", differences<Problem>});
    return true;
}();

// What the programs with Eigen share: derivatives against finite differences, and reverse against forward mode.
// Both modes of a large decomposition take long to compile, so forward mode is only checked where it is asked for.
#pragma once
#include "../support/expect.h"
#include <vector>

extern int enzyme_dup, enzyme_const;
extern "C" double __enzyme_autodiff(void *, ...);
extern "C" double __enzyme_fwddiff(void *, ...);

enum Modes { REVERSE_ONLY, BOTH_MODES };

template <double (*objective)(const double *, int), Modes modes = REVERSE_ONLY>
void check(const char *name, int n, double tolerance = 1e-7)
{
    std::vector<double> x(n), bar(n), dot(n);
    for (int i = 0; i < n; i++) {
        x[i] = 0.6 + 0.8 * fmod(0.618 * i + 0.1, 1.0);
        dot[i] = cos(3.0 * i + 1);
    }
    auto moved = [&](double by) {
        std::vector<double> at(x);
        for (int i = 0; i < n; i++)
            at[i] += by * dot[i];
        return objective(at.data(), n);
    };
    __enzyme_autodiff((void *)objective, enzyme_dup, x.data(), bar.data(), enzyme_const, n);
    double along = 0, size = 1, h = 1e-3;
    for (int i = 0; i < n; i++) {
        along += bar[i] * dot[i];
        size += fabs(bar[i] * dot[i]);
    }
    double difference = (8 * (moved(h) - moved(-h)) - (moved(2 * h) - moved(-2 * h))) / (12 * h);
    double tangent = along;
    if constexpr (modes == BOTH_MODES)
        tangent = __enzyme_fwddiff((void *)objective, enzyme_dup, x.data(), dot.data(), enzyme_const, n);
    if (!(fabs(along - tangent) <= 1e-11 * size) || !(fabs(tangent - difference) <= tolerance * size)) {
        printf("FAIL: %s: reverse %.15g, forward %.15g, differences %.15g\n", name, along, tangent, difference);
        expect_failures++;
    }
}

#include "montecarlo.h"

#include <math.h>

double montecarlo_objective(int paths, int steps, double years, const double *market, const double *vol, const double *normal)
{
    const double dt = years / steps, root = sqrt(dt);
    double total = 0.0;
    for (int p = 0; p < paths; p++) {
        double price = market[0], sum = 0.0;
        for (int i = 0; i < steps; i++) {
            price *= exp((market[2] - 0.5 * vol[i] * vol[i]) * dt + vol[i] * root * normal[p * steps + i]);
            sum += price;
        }
        const double gain = sum / steps - market[1];
        if (gain > 0.0)
            total += gain;
    }
    return exp(-market[2] * years) * total / paths;
}

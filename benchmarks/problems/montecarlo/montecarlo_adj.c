#include "montecarlo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void montecarlo_gradient(int paths, int steps, double years, const double *market, const double *vol, const double *normal,
                         double *gmarket, double *gvol)
{
    const double dt = years / steps, root = sqrt(dt), discount = exp(-market[2] * years);
    double *prices = (double *)malloc(sizeof(double) * steps), total = 0.0;
    memset(gmarket, 0, sizeof(double) * 3);
    memset(gvol, 0, sizeof(double) * steps);
    for (int p = 0; p < paths; p++) {
        const double *z = normal + (size_t)p * steps;
        double price = market[0], sum = 0.0;
        for (int i = 0; i < steps; i++) {
            price *= exp((market[2] - 0.5 * vol[i] * vol[i]) * dt + vol[i] * root * z[i]);
            prices[i] = price;
            sum += price;
        }
        const double gain = sum / steps - market[1];
        if (!(gain > 0.0))
            continue;
        total += gain;
        /* Each price is the first one times the exponentials before it: what follows a step moves with it. */
        const double g = discount / paths / steps;
        double after = 0.0;
        for (int i = steps - 1; i >= 0; i--) {
            after += prices[i];
            gvol[i] += g * after * (root * z[i] - vol[i] * dt);
            gmarket[2] += g * after * dt;
        }
        gmarket[0] += g * after / market[0];
        gmarket[1] -= discount / paths;
    }
    gmarket[2] -= years * discount * total / paths;
    free(prices);
}

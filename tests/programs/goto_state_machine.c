// check: array n=6,1,11
// A state machine of gotos that follows the data: every state can be reached from several others, and starts anywhere.
#include <math.h>
#include <stdlib.h>

double objective(const double *x, int n)
{
    double energy = 1.0, *trace = malloc((n + 1) * sizeof *trace), *kept = 0;
    int at = 0, laps = 0;
    if (x[0] > 1.2)
        goto hot;
    if (x[0] < 0.7)
        goto cold;
warm:
    if (at == n)
        goto end;
    trace[at] = energy * x[at];
    energy += 0.2 * trace[at];
    if (x[at++] > 1.0)
        goto hot;
    goto cold;
hot:
    if (at == n)
        goto end;
    trace[at] = sqrt(energy * x[at]);
    energy = energy * 0.8 + trace[at] * trace[at];
    at++;
    if (energy > 2.0)
        goto vent;
    goto warm;
cold:
    if (at == n)
        goto end;
    trace[at] = x[at] * x[at];
    for (int i = 0; i <= at; i++)
        energy += 0.1 * trace[i] * energy;
    at++;
    if (energy < 1.5)
        goto warm;
vent:
    if (++laps > 40)
        abort();
    if (!kept)
        kept = malloc(sizeof *kept);
    *kept = energy;
    energy *= 0.5 + 0.01 * *kept;
    if (energy > 2.0)
        goto vent;
    if (laps % 2)
        goto cold;
    goto hot;
end:
    for (int i = 0; i < n; i++)
        energy += trace[i];
    if (kept)
        energy *= *kept;
    free(trace);
    free(kept);
    return energy;
}

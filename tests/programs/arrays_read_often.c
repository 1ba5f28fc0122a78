// check: inplace n=12 range=0.5:1.5
// Arrays of the function's own that are read n^2 times in a step and overwritten at its end: on the heap, on the
// stack, of a length that only the program knows, and one that is taken anew in each step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

void transform(double *x, int n)
{
    double *place = malloc(n * sizeof *place), *push = calloc(n, sizeof *push), spare[12] = {0};
    memcpy(place, x, n * sizeof *place);
    for (int step = 0; step < 3; step++) {
        double *old = malloc(n * sizeof *old);
        for (int i = 0; i < n; i++)
            old[i] = place[i] * 1.1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (i != j)
                    push[i] += 0.01 * sin(place[j] - place[i]) * old[j] + 0.02 * spare[j] * place[i];
        for (int i = 0; i < n; i++) {
            spare[i % 12] = push[i] * place[i];
            old[i] = 0;
            place[i] += 0.1 * push[i];
        }
        if (step == 1 && place[0] > 1e9) {
            free(old);
            break;
        }
        free(old);
    }
    for (int i = 0; i < n; i++)
        x[i] = place[i] + push[i] * push[i];
    free(place);
    free(push);
}

// check: array n=11,1
// A buffer that doubles by realloc while it is filled.
#include <stdlib.h>

double objective(const double *x, int n)
{
    size_t room = 1, used = 0;
    double *data = malloc(room * sizeof *data);
    for (int i = 0; i < n; i++) {
        for (int twice = 0; twice < 2; twice++) {
            if (used == room) {
                room *= 2;
                data = realloc(data, room * sizeof *data);
            }
            data[used] = used ? x[i] * data[used - 1] + 0.5 * x[i] : x[i];
            used++;
        }
    }
    double sum = 0.0;
    for (size_t i = 0; i < used; i++)
        sum += data[i] / (double)(i + 1);
    free(data);
    return sum;
}

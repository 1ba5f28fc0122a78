// check: array n=4,1 range=0.6:1.9 tol=1e-6
/* Records of one struct in an arena, and others eight bytes before where they were: one's b is where a of another was. */
#include <stdlib.h>

struct record { double a, b; };

double objective(double *x, int n)
{
    char *arena = malloc(sizeof(struct record) * (n + 1));
    struct record *first = (struct record *)(arena + 8), *then = (struct record *)arena;
    double s = 0, t = 0;
    for (int i = 0; i < n; i++)
        first[i].a = x[i] * x[i];
    for (int i = 0; i < n; i++)
        s += first[i].a * first[i].a;
    for (int i = 0; i < n; i++)
        then[i].b = x[i] + 3;
    for (int i = 0; i < n; i++)
        t += then[i].b * then[i].b;
    free(arena);
    return s * t;
}

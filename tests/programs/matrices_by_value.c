// check: array n=8 range=0.5:2.0
/* Matrices behind a float in the elements of an array are passed by value: the parameter, of six numbers, says nothing of
   what lies before it and behind. */
#include <stdlib.h>
typedef struct { double m[6]; } matrix;
typedef struct { float weight; matrix m; } sample;

__attribute__((noinline)) static double scaled(matrix m, double s)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += m.m[i] * s + i;
    return sum;
}

__attribute__((noinline)) static matrix turned(matrix a, double by)
{
    for (int i = 0; i < 3; i++) {
        double first = a.m[i];
        a.m[i] = first - by * a.m[i + 3];
        a.m[i + 3] += by * first;
    }
    return a;
}

double objective(double *x, int n)
{
    sample *s = malloc(n * sizeof *s);
    for (int i = 0; i < n; i++) {
        s[i] = (sample){i * 1.5f, {{x[i], 1, 2, 3, [5] = x[(i + 3) % n]}}};
        s[i].m = turned(s[i].m, 0.3 * x[(i + 1) % n]);
        s[i].m.m[5] = scaled(s[i].m, x[i]);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += s[i].m.m[5] * s[i].weight;
    free(s);
    return sum;
}

// check: array n=6
// Parts of structs and rows of matrices are copied into each other: the pointers and integers beside them stay apart.
#include <string.h>

struct inner {
    double p, q;
};
struct record {
    struct inner in;
    double *at;
    double a[3];
    int tag;
    double v;
};

double objective(double *x, int n)
{
    double w[3][4] = {{0}};
    struct record r = {{x[0], x[1]}, x, {x[2], 0.5, x[3]}, 2, x[4]}, s;
    memset(&s, 0, sizeof s);
    s.at = x + 1;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            w[i][j] = x[(i + j) % n] * (j + 1);
    memmove(r.a, w[n % 3], 3 * sizeof(double));
    memcpy(&s.in, &r.in, sizeof s.in);
    memmove(&w[1][1], &r.a[1], 2 * sizeof(double));
    memcpy(&s.in.q, &r.a[r.tag], sizeof(double));
    memmove(&r.a[0], &r.a[1], 2 * sizeof(double));
    memcpy(s.a, w[(n + 1) % 3], sizeof s.a);
    s.v = r.v * r.at[2];
    double sum = s.at[1] * s.v + s.in.p * s.in.q;
    for (int i = 0; i < 3; i++)
        sum += r.a[i] * s.a[i] * w[i][i + 1];
    return sum;
}

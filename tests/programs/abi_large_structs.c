// check: array n=9
// Structs passed and returned in memory: large, with arrays, long double, mixed with integers; and beside many others.
#include <math.h>

typedef struct { double v[3]; } Vector;
typedef struct { double m[2][3]; int rows; } Matrix;
typedef struct { long double x; double y; } Wide;
typedef struct { char tag; double a; short s; double b; } Mixed;

#define NOINLINE __attribute__((noinline)) static
NOINLINE Vector cross(Vector a, Vector b)
{
    return (Vector){{a.v[1] * b.v[2] - a.v[2] * b.v[1], a.v[2] * b.v[0] - a.v[0] * b.v[2], a.v[0] * b.v[1] - a.v[1] * b.v[0]}};
}
NOINLINE Matrix scale(Matrix m, double by)
{
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < 3; j++)
            m.m[i][j] *= by;
    return m;
}
NOINLINE Wide widen(Wide w)
{
    w.x = w.x * w.y;
    return w;
}
NOINLINE double mix(int i, Mixed m, double x, Mixed k, Vector v)
{
    return i * m.a * x + k.b * v.v[1] * m.s;
}

double objective(const double *x, int n)
{
    Vector a = {{x[0], x[1], x[2]}}, b = {{x[3], x[4], x[5]}};
    Vector c = cross(a, b);
    Matrix m = {{{x[6], x[7], x[8]}, {c.v[0], c.v[1], c.v[2]}}, 2};
    m = scale(scale(m, x[0]), 0.5);
    Wide w = widen((Wide){x[1], m.m[1][2]});
    Mixed p = {'p', x[2], 3, x[3]}, q = {'q', x[4], 5, (double)w.x};
    return mix(2, p, w.y, q, c) + m.m[0][1] * fabs(m.m[1][0]);
}

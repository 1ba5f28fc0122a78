// check: array n=24,12,9,6,5,1 range=0.3:1.7
// Stencils whose adjoints are carried from iteration to iteration: of several widths, with gaps, backwards, in rows of a
// plane, with neighbours read twice, of float, of loops that run once; and such where they must not be.
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { M = 24 };

static double three(const double *restrict u, double *restrict out, int n, int steps)
{
    double v[M], w[M];
    memcpy(v, u, sizeof(double) * n);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i + 1 < n; i++)
            w[i] = v[i] + 0.1 * (v[i - 1] - 2.0 * v[i] + v[i + 1]) * v[i];
        for (int i = 1; i + 1 < n; i++)
            v[i] = w[i];
    }
    double s = 0.0;
    for (int i = 0; i < n; i++)
        s += (out[i] = v[i]) * v[i];
    return s;
}

static double wide(const double *restrict u, int n)
{
    double s = 0.0;
    for (int i = 2; i < n - 2; i++)
        s += u[i - 2] * u[i + 2] * 0.25 + sin(u[i]) * u[i + 1];
    for (int i = 3; i < n; i++) // a gap
        s += u[i - 3] * u[i] * u[i];
    return s;
}

static double downwards(const double *restrict u, double *restrict w, int n)
{
    double s = 0.0;
    for (int i = n - 2; i > 0; i--)
        w[i] = u[i + 1] * u[i] - u[i - 1] * u[i - 1];
    for (int i = n - 2; i > 0; i--)
        s += w[i] * w[i];
    return s;
}

// The rows above and below are at a distance that only the run knows.
static double plane(const double *restrict u, double *restrict out, int rows, int columns)
{
    double s = 0.0;
    for (int i = 1; i + 1 < rows; i++)
        for (int j = 1; j + 1 < columns; j++) {
            const int at = i * columns + j;
            out[at] = u[at] * (u[at - columns] + u[at + columns] + u[at - 1] + u[at + 1] - 4.0 * u[at]);
        }
    for (int i = 0; i < rows * columns; i++)
        s += out[i] * out[i];
    return s;
}

// Rows of any distance, also of one or none: they may be the neighbours themselves.
static double near(const double *restrict u, double *restrict out, int n, int distance)
{
    double s = 0.0;
    for (int i = 4; i + 4 < n; i++)
        out[i] = u[i - 1] * u[i + 1] + u[i + distance] * u[i - distance];
    for (int i = 4; i + 4 < n; i++)
        s += out[i] * out[i];
    return s;
}

// Both may be the same array.
static double two(const double *u, const double *v, double *restrict out, int n)
{
    double s = 0.0;
    for (int i = 1; i + 1 < n; i++)
        out[i] = u[i - 1] * v[i + 1] + u[i + 1] * v[i - 1] * v[i];
    for (int i = 1; i + 1 < n; i++)
        s += out[i] * out[i];
    return s;
}

// What is read was written by the iteration before.
static double in_place(double *u, int n)
{
    for (int i = 1; i + 1 < n; i++)
        u[i] += 0.3 * u[i - 1] * u[i + 1];
    return u[n - 1] * u[n > 1 ? n - 2 : 0];
}

static double of_float(const double *restrict u, int n)
{
    float v[M], s = 0.0f;
    for (int i = 0; i < n; i++)
        v[i] = (float)(0.001 * i);
    for (int i = 1; i + 1 < n; i++)
        s += v[i - 1] * v[i + 1] - v[i];
    return s * u[0];
}

double objective(const double *x, int n)
{
    double out[M * 4] = {0.0}, copy[M] = {0.0};
    double s = three(x, out, n, 3) + wide(x, n) + downwards(x, copy, n);
    if (n >= 12)
        s += plane(x, out, 3, n / 3) + plane(x, out + M, n / 3, 3);
    for (int d = 0; d < 4; d++)
        s += near(x, out, n, d);
    memcpy(copy, x, sizeof(double) * n);
    s += two(x, x, out, n) + two(x, copy, out, n) + in_place(copy, n) + of_float(x, n);
    return s;
}

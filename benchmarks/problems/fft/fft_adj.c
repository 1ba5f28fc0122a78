#include "fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void reverse_bits(int n, double *z)
{
    for (int i = 0, j = 0; i < n; i++) {
        if (j > i) {
            const double re = z[2 * j], im = z[2 * j + 1];
            z[2 * j] = z[2 * i];
            z[2 * j + 1] = z[2 * i + 1];
            z[2 * i] = re;
            z[2 * i + 1] = im;
        }
        int m = n >> 1;
        while (m >= 1 && j & m) {
            j ^= m;
            m >>= 1;
        }
        j |= m;
    }
}

static void transform(int n, double *z)
{
    if (n == 1)
        return;
    const int half = n / 2;
    transform(half, z);
    transform(half, z + 2 * half);
    const double s = sin(acos(-1.0) / n), turn = -sin(2.0 * acos(-1.0) / n), shrink = -2.0 * s * s;
    double re = 1.0, im = 0.0;
    for (int k = 0; k < half; k++) {
        double *a = z + 2 * k, *b = z + 2 * (k + half);
        const double t = re * b[0] - im * b[1], u = re * b[1] + im * b[0];
        b[0] = a[0] - t;
        b[1] = a[1] - u;
        a[0] += t;
        a[1] += u;
        const double old = re;
        re += re * shrink - im * turn;
        im += im * shrink + old * turn;
    }
}

/* The transposed transform: nothing of the signal is needed, as the map is linear. */
static void transposed(int n, double *g)
{
    if (n == 1)
        return;
    const int half = n / 2;
    const double s = sin(acos(-1.0) / n), turn = -sin(2.0 * acos(-1.0) / n), shrink = -2.0 * s * s;
    double re = 1.0, im = 0.0;
    for (int k = 0; k < half; k++) {
        double *a = g + 2 * k, *b = g + 2 * (k + half);
        const double t = a[0] - b[0], u = a[1] - b[1];
        a[0] += b[0];
        a[1] += b[1];
        b[0] = re * t + im * u;
        b[1] = re * u - im * t;
        const double old = re;
        re += re * shrink - im * turn;
        im += im * shrink + old * turn;
    }
    transposed(half, g);
    transposed(half, g + 2 * half);
}

void fft_gradient(int n, const double *signal, const double *w, double *g)
{
    memcpy(g, signal, sizeof(double) * 2 * n);
    reverse_bits(n, g);
    transform(n, g);
    for (int k = 0; k < n; k++) {
        g[2 * k] *= 2.0 * w[k];
        g[2 * k + 1] *= 2.0 * w[k];
    }
    transposed(n, g);
    reverse_bits(n, g);
}

/* What the primal and the adjoint by hand both do. */
#ifndef TRANSFORMS_H
#define TRANSFORMS_H
#include <math.h>

/* The rotation by |r| about r. */
static void rotation(const double *r, double *out)
{
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (square == 0.0) {
        const double small[9] = {1.0, -r[2], r[1], r[2], 1.0, -r[0], -r[1], r[0], 1.0};
        for (int i = 0; i < 9; i++)
            out[i] = small[i];
        return;
    }
    const double angle = sqrt(square), c = cos(angle), s = sin(angle);
    const double x = r[0] / angle, y = r[1] / angle, z = r[2] / angle, k = 1.0 - c;
    const double full[9] = {c + k * x * x,     k * x * y - s * z, k * x * z + s * y,
                            k * x * y + s * z, c + k * y * y,     k * y * z - s * x,
                            k * x * z - s * y, k * y * z + s * x, c + k * z * z};
    for (int i = 0; i < 9; i++)
        out[i] = full[i];
}

/* A joint bends about x, then spreads about z. */
static void joint(double bend, double spread, double *out)
{
    const double cb = cos(bend), sb = sin(bend), cs = cos(spread), ss = sin(spread);
    const double full[12] = {cs, -ss * cb, ss * sb, 0.0, ss, cs * cb, -cs * sb, 0.0, 0.0, sb, cb, 0.0};
    for (int i = 0; i < 12; i++)
        out[i] = full[i];
}

/* The product of two transforms. */
static void times(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? a[4 * i + 3] : 0.0;
            for (int k = 0; k < 3; k++)
                sum += a[4 * i + k] * b[4 * k + j];
            out[4 * i + j] = sum;
        }
}
#endif

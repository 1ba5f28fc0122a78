// ba.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>

namespace ba {

template <class T> T dot3(const T *a, const T *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class T> void cross3(const T *a, const T *b, T *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

template <class T> void rotate(const T *rot, const T *v, T *out)
{
    using std::cos;
    using std::sin;
    using std::sqrt;
    const T sq = dot3(rot, rot);
    T axis[3], side[3];
    if (sq != 0.0) {
        const T theta = sqrt(sq);
        const T c = cos(theta), s = sin(theta), inverse = 1.0 / theta;
        for (int i = 0; i < 3; i++)
            axis[i] = rot[i] * inverse;
        cross3(axis, v, side);
        const T along = dot3(axis, v) * (1.0 - c);
        for (int i = 0; i < 3; i++)
            out[i] = v[i] * c + side[i] * s + axis[i] * along;
    } else {
        cross3(rot, v, side);
        for (int i = 0; i < 3; i++)
            out[i] = v[i] + side[i];
    }
}

template <class T>
void residual(const T *camera, const T *point, const T &weight,
              const double *feature, T *err)
{
    T centred[3], seen[3];
    for (int i = 0; i < 3; i++)
        centred[i] = point[i] - camera[3 + i];
    rotate(camera, centred, seen);
    const T px = seen[0] / seen[2], py = seen[1] / seen[2];
    const T sq = px * px + py * py;
    const T stretch = 1.0 + camera[9] * sq + camera[10] * sq * sq;
    err[0] = weight * (px * stretch * camera[6] + camera[7] - feature[0]);
    err[1] = weight * (py * stretch * camera[6] + camera[8] - feature[1]);
}
}  // namespace ba

template <class T> void evaluate(const Problem &p, int block, const T *x, T *y)
{
    ba::residual<T>(x, x + 11, x[14], &p.feature[2 * block], y);
}

// hand.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

// The rotation by |r| about r.
template <class T> void rotation(const T *r, T *out)
{
    using std::cos, std::sin, std::sqrt;
    const T square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (square == 0.0) {
        const T small[9] = {1.0, -r[2], r[1], r[2], 1.0, -r[0], -r[1], r[0], 1.0};
        for (int i = 0; i < 9; i++)
            out[i] = small[i];
        return;
    }
    const T angle = sqrt(square), c = cos(angle), s = sin(angle);
    const T x = r[0] / angle, y = r[1] / angle, z = r[2] / angle, k = 1.0 - c;
    const T full[9] = {c + k * x * x,     k * x * y - s * z, k * x * z + s * y,
                       k * x * y + s * z, c + k * y * y,     k * y * z - s * x,
                       k * x * z - s * y, k * y * z + s * x, c + k * z * z};
    for (int i = 0; i < 9; i++)
        out[i] = full[i];
}

// A joint bends about x, then spreads about z.
template <class T> void joint(const T &bend, const T &spread, T *out)
{
    using std::cos, std::sin;
    const T cb = cos(bend), sb = sin(bend), cs = cos(spread), ss = sin(spread);
    const T full[12] = {cs, -ss * cb, ss * sb, 0.0, ss, cs * cb, -cs * sb, 0.0, 0.0, sb, cb, 0.0};
    for (int i = 0; i < 12; i++)
        out[i] = full[i];
}

// The product of two transforms.
template <class A, class B, class T> void times(const A *a, const B *b, T *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            T sum = 0.0;
            if (j == 3)
                sum = a[4 * i + 3];
            for (int k = 0; k < 3; k++)
                sum += a[4 * i + k] * b[4 * k + j];
            out[4 * i + j] = sum;
        }
}

// From rest to the pose, for each bone.
template <class T> void skeleton(const hand_model *m, const T *pose, T *move)
{
    T absolute[HAND_BONES][12];
    for (int b = 0; b < HAND_BONES; b++) {
        const int at = b < 2 ? 3 : (b - 2) % 4;
        const T *angle = b < 2 ? pose : pose + 6 + (b - 2) / 4 * 4;
        T turn[12], relative[12];
        joint<T>(at == 3 ? T(0.0) : at == 0 ? angle[0] : angle[at + 1], at == 0 ? angle[1] : T(0.0), turn);
        times(m->rest + 12 * b, turn, relative);
        if (m->parent[b] < 0)
            for (int i = 0; i < 12; i++)
                absolute[b][i] = relative[i];
        else
            times(absolute[m->parent[b]], relative, absolute[b]);
        times(absolute[b], m->inverse + 12 * b, move + 12 * b);
    }
}

template <class T> void evaluate(const Problem &p, int, const T *pose, T *y)
{
    const hand_model model = p.model(), *m = &model;
    const T *place = pose + HAND_POSE;
    std::vector<T> surface(3 * m->vertices);
    T turn[9], move[12 * HAND_BONES];
    rotation<T>(pose, turn);
    skeleton<T>(m, pose, move);
    for (int v = 0; v < m->vertices; v++) {
        const double *at = m->vertex + 3 * v, *weight = m->weight + HAND_BONES * v;
        T skin[3] = {0.0, 0.0, 0.0};
        for (int b = 0; b < HAND_BONES; b++)
            for (int i = 0; i < 3; i++) {
                const T *row = move + 12 * b + 4 * i;
                skin[i] += weight[b] * (row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3]);
            }
        for (int i = 0; i < 3; i++)
            surface[3 * v + i] = turn[3 * i] * skin[0] + turn[3 * i + 1] * skin[1] + turn[3 * i + 2] * skin[2] + pose[3 + i];
    }
    T sum = 0.0;
    for (int i = 0; i < m->points; i++) {
        const int *corner = m->corner + 3 * i;
        const T first = place[2 * i], second = place[2 * i + 1], third = 1.0 - first - second;
        for (int j = 0; j < 3; j++) {
            const T off = m->measured[3 * i + j] - first * surface[3 * corner[0] + j] -
                          second * surface[3 * corner[1] + j] - third * surface[3 * corner[2] + j];
            sum += off * off;
        }
    }
    y[0] = 0.5 * sum;
}

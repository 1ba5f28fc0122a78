#include "hand.h"
#include "transforms.h"

#include <stdlib.h>
#include <string.h>

/* g += the gradient of the rotation vector, from that of the matrix. */
static void rotation_back(const double *r, const double *by, double *g)
{
    const double twist[3] = {by[7] - by[5], by[2] - by[6], by[3] - by[1]};
    const double angle = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    if (angle == 0.0) {
        for (int i = 0; i < 3; i++)
            g[i] += twist[i];
        return;
    }
    const double c = cos(angle), s = sin(angle), axis[3] = {r[0] / angle, r[1] / angle, r[2] / angle};
    double by_axis[3], along = 0.0, by_angle = -s * (by[0] + by[4] + by[8]);
    for (int i = 0; i < 3; i++) {
        double both = 0.0;
        for (int j = 0; j < 3; j++)
            both += (by[3 * i + j] + by[3 * j + i]) * axis[j];
        by_axis[i] = s * twist[i] + (1.0 - c) * both;
        by_angle += axis[i] * (c * twist[i] + 0.5 * s * both);
        along += axis[i] * by_axis[i];
    }
    for (int i = 0; i < 3; i++)
        g[i] += (by_axis[i] - along * axis[i]) / angle + by_angle * axis[i];
}

/* by_a += the gradient of the first factor of a product. */
static void times_back_first(const double *b, const double *by, double *by_a)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 4; j++)
                by_a[4 * i + k] += by[4 * i + j] * b[4 * k + j];
        by_a[4 * i + 3] += by[4 * i + 3];
    }
}

/* The gradient of the second factor. */
static void times_back_second(const double *a, const double *by, double *by_b)
{
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 4; j++)
            by_b[4 * k + j] = a[k] * by[j] + a[4 + k] * by[4 + j] + a[8 + k] * by[8 + j];
}

/* Where in the pose a bone's bend is; its spread is beside it if it is a finger's first. Negative: stiff. */
static int bend_of(int bone)
{
    const int at = (bone - 2) % 4;
    return bone < 2 || at == 3 ? -1 : 6 + (bone - 2) / 4 * 4 + (at ? at + 1 : 0);
}

static int spreads(int bone)
{
    return bone >= 2 && (bone - 2) % 4 == 0;
}

typedef struct {
    double turn[HAND_BONES][12], relative[HAND_BONES][12], absolute[HAND_BONES][12], move[HAND_BONES][12];
} bones;

static void skeleton(const hand_model *m, const double *pose, bones *s)
{
    for (int b = 0; b < HAND_BONES; b++) {
        const int at = bend_of(b);
        joint(at < 0 ? 0.0 : pose[at], spreads(b) ? pose[at + 1] : 0.0, s->turn[b]);
        times(m->rest + 12 * b, s->turn[b], s->relative[b]);
        if (m->parent[b] < 0)
            memcpy(s->absolute[b], s->relative[b], sizeof s->absolute[b]);
        else
            times(s->absolute[m->parent[b]], s->relative[b], s->absolute[b]);
        times(s->absolute[b], m->inverse + 12 * b, s->move[b]);
    }
}

static void skeleton_back(const hand_model *m, const bones *s, double by_move[][12], double *g_pose)
{
    double by_absolute[HAND_BONES][12] = {{0.0}};
    for (int b = HAND_BONES - 1; b >= 0; b--) {
        double by_relative[12], by[12];
        times_back_first(m->inverse + 12 * b, by_move[b], by_absolute[b]);
        if (m->parent[b] >= 0) {
            times_back_first(s->relative[b], by_absolute[b], by_absolute[m->parent[b]]);
            times_back_second(s->absolute[m->parent[b]], by_absolute[b], by_relative);
        } else {
            memcpy(by_relative, by_absolute[b], sizeof by_relative);
        }
        const int at = bend_of(b);
        if (at < 0)
            continue;
        times_back_second(m->rest + 12 * b, by_relative, by);
        const double *t = s->turn[b];
        for (int i = 0; i < 3; i++)
            g_pose[at] += by[4 * i + 1] * t[4 * i + 2] - by[4 * i + 2] * t[4 * i + 1];
        if (spreads(b))
            for (int j = 0; j < 3; j++)
                g_pose[at + 1] += by[4 + j] * t[j] - by[j] * t[4 + j];
    }
}

void hand_gradient(const hand_model *m, const double *pose, const double *place, double *g_pose, double *g_place)
{
    double turn[9], by_turn[9] = {0.0}, by_move[HAND_BONES][12] = {{0.0}};
    bones s;
    double *skin = (double *)malloc(sizeof(double) * 3 * m->vertices);
    double *surface = (double *)malloc(sizeof(double) * 3 * m->vertices);
    double *by_surface = (double *)calloc(3 * m->vertices, sizeof(double));
    memset(g_pose, 0, sizeof(double) * HAND_POSE);
    rotation(pose, turn);
    skeleton(m, pose, &s);
    for (int v = 0; v < m->vertices; v++) {
        const double *at = m->vertex + 3 * v, *weight = m->weight + HAND_BONES * v;
        double *here = skin + 3 * v, blend[12] = {0.0};
        for (int b = 0; b < HAND_BONES; b++)
            for (int i = 0; i < 12; i++)
                blend[i] += weight[b] * s.move[b][i];
        for (int i = 0; i < 3; i++)
            here[i] = blend[4 * i] * at[0] + blend[4 * i + 1] * at[1] + blend[4 * i + 2] * at[2] + blend[4 * i + 3];
        for (int i = 0; i < 3; i++)
            surface[3 * v + i] = turn[3 * i] * here[0] + turn[3 * i + 1] * here[1] + turn[3 * i + 2] * here[2] + pose[3 + i];
    }
    for (int p = 0; p < m->points; p++) {
        const int a = 3 * m->corner[3 * p], b = 3 * m->corner[3 * p + 1], c = 3 * m->corner[3 * p + 2];
        const double first = place[2 * p], second = place[2 * p + 1], third = 1.0 - first - second;
        double by_first = 0.0, by_second = 0.0;
        for (int i = 0; i < 3; i++) {
            const double off =
                m->measured[3 * p + i] - first * surface[a + i] - second * surface[b + i] - third * surface[c + i];
            by_first -= off * (surface[a + i] - surface[c + i]);
            by_second -= off * (surface[b + i] - surface[c + i]);
            by_surface[a + i] -= off * first;
            by_surface[b + i] -= off * second;
            by_surface[c + i] -= off * third;
        }
        g_place[2 * p] = by_first;
        g_place[2 * p + 1] = by_second;
    }
    for (int v = 0; v < m->vertices; v++) {
        const double *at = m->vertex + 3 * v, *weight = m->weight + HAND_BONES * v, *by = by_surface + 3 * v;
        double by_blend[12];
        for (int i = 0; i < 3; i++) {
            g_pose[3 + i] += by[i];
            for (int j = 0; j < 3; j++)
                by_turn[3 * i + j] += by[i] * skin[3 * v + j];
            const double by_skin = turn[i] * by[0] + turn[3 + i] * by[1] + turn[6 + i] * by[2];
            for (int j = 0; j < 3; j++)
                by_blend[4 * i + j] = by_skin * at[j];
            by_blend[4 * i + 3] = by_skin;
        }
        for (int b = 0; b < HAND_BONES; b++)
            for (int i = 0; i < 12; i++)
                by_move[b][i] += weight[b] * by_blend[i];
    }
    rotation_back(pose, by_turn, g_pose);
    skeleton_back(m, &s, by_move, g_pose);
    free(skin);
    free(surface);
    free(by_surface);
}

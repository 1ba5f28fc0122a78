#include "hand.h"
#include "transforms.h"

#include <stdlib.h>

/* From rest to the pose, for each bone. */
static void skeleton(const hand_model *m, const double *pose, double *move)
{
    double absolute[HAND_BONES][12];
    for (int b = 0; b < HAND_BONES; b++) {
        const int at = b < 2 ? 3 : (b - 2) % 4;
        const double *angle = b < 2 ? pose : pose + 6 + (b - 2) / 4 * 4;
        double turn[12], relative[12];
        joint(at == 3 ? 0.0 : at == 0 ? angle[0] : angle[at + 1], at == 0 ? angle[1] : 0.0, turn);
        times(m->rest + 12 * b, turn, relative);
        if (m->parent[b] < 0)
            for (int i = 0; i < 12; i++)
                absolute[b][i] = relative[i];
        else
            times(absolute[m->parent[b]], relative, absolute[b]);
        times(absolute[b], m->inverse + 12 * b, move + 12 * b);
    }
}

double hand_objective(const hand_model *m, const double *pose, const double *place)
{
    double turn[9], move[12 * HAND_BONES];
    double *surface = (double *)malloc(sizeof(double) * 3 * m->vertices);
    rotation(pose, turn);
    skeleton(m, pose, move);
    for (int v = 0; v < m->vertices; v++) {
        const double *at = m->vertex + 3 * v, *weight = m->weight + HAND_BONES * v;
        double skin[3] = {0.0, 0.0, 0.0};
        for (int b = 0; b < HAND_BONES; b++)
            for (int i = 0; i < 3; i++) {
                const double *row = move + 12 * b + 4 * i;
                skin[i] += weight[b] * (row[0] * at[0] + row[1] * at[1] + row[2] * at[2] + row[3]);
            }
        for (int i = 0; i < 3; i++)
            surface[3 * v + i] = turn[3 * i] * skin[0] + turn[3 * i + 1] * skin[1] + turn[3 * i + 2] * skin[2] + pose[3 + i];
    }
    double sum = 0.0;
    for (int p = 0; p < m->points; p++) {
        const int *corner = m->corner + 3 * p;
        const double first = place[2 * p], second = place[2 * p + 1], third = 1.0 - first - second;
        for (int i = 0; i < 3; i++) {
            const double off = m->measured[3 * p + i] - first * surface[3 * corner[0] + i] -
                               second * surface[3 * corner[1] + i] - third * surface[3 * corner[2] + i];
            sum += off * off;
        }
    }
    free(surface);
    return 0.5 * sum;
}

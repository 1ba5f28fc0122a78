#ifndef HAND_H
#define HAND_H
#ifdef __cplusplus
extern "C" {
#endif

/* How far measured points are from the surface of a hand: half the sum of squared distances. The hand is a mesh on a
 * skeleton, moved by linear blend skinning: a vertex is the weighted mean of where each bone would take it.
 * Transforms are 3 x 4, row after row.
 */
enum { HAND_FINGERS = 5, HAND_BONES = 2 + 4 * HAND_FINGERS, HAND_POSE = 6 + 4 * HAND_FINGERS };

typedef struct {
    int vertices, points;
    const int *parent;      /* [bones]              before its children; -1: none */
    const double *rest;     /* [bones][12]          to the parent's frame, at rest */
    const double *inverse;  /* [bones][12]          from the hand's frame to the bone's, at rest */
    const double *vertex;   /* [vertices][3] */
    const double *weight;   /* [vertices][bones] */
    const int *corner;      /* [points][3]          the vertices of the triangle that a point lies on */
    const double *measured; /* [points][3] */
} hand_model;

/* pose  rotation vector and translation of the hand; for each finger the first joint's bend and spread, the bends of the
 *       second and third (the fourth is stiff)
 * place [points][2]  where in its triangle a point lies: weights of two corners
 */
double hand_objective(const hand_model *m, const double *pose, const double *place);

void hand_gradient(const hand_model *m, const double *pose, const double *place, double *g_pose, double *g_place);
#ifdef __cplusplus
}
#endif
#endif

/* The gradient asked of the compiler: same interface as hand_adj.c. */
#include "hand.c"
#include <string.h>
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

void hand_gradient(const hand_model *m, const double *pose, const double *place, double *g_pose, double *g_place)
{
    memset(g_pose, 0, sizeof(double) * HAND_POSE);
    memset(g_place, 0, sizeof(double) * 2 * m->points);
    __enzyme_autodiff((void *)hand_objective, enzyme_const, m, enzyme_dup, pose, g_pose, enzyme_dup, place, g_place);
}

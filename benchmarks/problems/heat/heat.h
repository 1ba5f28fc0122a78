#ifndef HEAT_H
#define HEAT_H
#ifdef __cplusplus
extern "C" {
#endif
/* u' = k Lap u on the inner cells of an n x n grid by explicit steps, the cells of the border fixed; returns half the sum
 * of squares of the final state. start, k [n][n]. */
double heat_objective(int n, int steps, double dt, const double *start, const double *k);
void heat_gradient(int n, int steps, double dt, const double *start, const double *k, double *g_start, double *g_k);
#ifdef __cplusplus
}
#endif
#endif

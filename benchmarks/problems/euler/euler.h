#ifndef EULER_H
#define EULER_H
#ifdef __cplusplus
extern "C" {
#endif
/* The Lorenz system by Euler's method, a fixed number of steps.
 * y [3] the start, par [3] the constants; returns half the sum of squares at the end. */
double euler_objective(int steps, double h, const double *y, const double *par);
void euler_gradient(int steps, double h, const double *y, const double *par, double *gy, double *gpar);
#ifdef __cplusplus
}
#endif
#endif

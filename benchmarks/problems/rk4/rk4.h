#ifndef RK4_H
#define RK4_H
#ifdef __cplusplus
extern "C" {
#endif
/* The Lorenz system by the classical method of Runge and Kutta, a fixed number of steps.
 * y [3] the start, par [3] the constants; returns half the sum of squares at the end. */
double rk4_objective(int steps, double h, const double *y, const double *par);
void rk4_gradient(int steps, double h, const double *y, const double *par, double *gy, double *gpar);
#ifdef __cplusplus
}
#endif
#endif

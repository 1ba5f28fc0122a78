#ifndef DOPRI_H
#define DOPRI_H
#ifdef __cplusplus
extern "C" {
#endif
/* Predator and prey from t = 0 to end by the method of Dormand and Prince, whose step follows the estimate of the error: how
 * many steps there are is not known beforehand. y [2] the start, par [4] the rates; returns half the final sum of squares. */
double dopri_objective(const double *y, const double *par, double end, double tol);
void dopri_gradient(const double *y, const double *par, double end, double tol, double *gy, double *gpar);
#ifdef __cplusplus
}
#endif
#endif

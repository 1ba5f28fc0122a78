#ifndef MONTECARLO_H
#define MONTECARLO_H
#ifdef __cplusplus
extern "C" {
#endif
/* The price of an Asian option by simulated paths, with a volatility for each step: all sensitivities at once.
 * market [3] price, strike, rate; vol [steps]; normal [paths][steps] */
double montecarlo_objective(int paths, int steps, double years, const double *market, const double *vol, const double *normal);
void montecarlo_gradient(int paths, int steps, double years, const double *market, const double *vol, const double *normal,
                         double *gmarket, double *gvol);
#ifdef __cplusplus
}
#endif
#endif

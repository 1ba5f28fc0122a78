#ifndef SPMV_H
#define SPMV_H
#ifdef __cplusplus
extern "C" {
#endif
/* Power iteration: v <- A v / |A v|, `rounds` times, A sparse by rows; returns v'A v of the last.
 * first [n + 1], column [first[n]], a [first[n]], start [n] */
double spmv_objective(int n, int rounds, const int *first, const int *column, const double *a, const double *start);
void spmv_gradient(int n, int rounds, const int *first, const int *column, const double *a, const double *start, double *ga,
                   double *gstart);
#ifdef __cplusplus
}
#endif
#endif

/* GSL (C): special functions, quadrature, splines, linear algebra, ordinary differential equations, a root and statistics,
   each with memory, handlers and callbacks of its own, in one function. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_odeiv2.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf.h>
#include <gsl/gsl_spline.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

enum { N = 4, KNOTS = 8 };
static const double POINT[N] = {0.7, 0.98, 1.36, 1.84};

static double special(const double *x) {
  return gsl_sf_bessel_J0(9 * x[3]) * gsl_sf_gamma(x[1]) + gsl_sf_erf(x[2]) * gsl_sf_lngamma(x[3] + 1) +
         gsl_sf_ellint_Kcomp(0.3 * x[1], GSL_PREC_DOUBLE) + gsl_sf_expint_E1(x[2]) + gsl_sf_lambert_W0(x[0]);
}

static double wave(double t, void *data) {
  const double *x = data;
  return x[0] * exp(-x[1] * t) * sin(x[2] * t + x[3]);
}

static double quadrature(const double *x) {
  gsl_integration_workspace *work = gsl_integration_workspace_alloc(200);
  gsl_function integrand = {wave, (void *)x};
  double result, error;
  gsl_integration_qags(&integrand, 0, 2, 0, 1e-9, 200, work, &result, &error);
  gsl_integration_workspace_free(work);
  return result;
}

static double spline(const double *x) {
  double at[KNOTS], value[KNOTS], sum = 0;
  for (int i = 0; i < KNOTS; i++) at[i] = i, value[i] = sin(x[i % N] * i);
  gsl_interp_accel *found = gsl_interp_accel_alloc();
  gsl_spline *curve = gsl_spline_alloc(gsl_interp_cspline, KNOTS);
  gsl_spline_init(curve, at, value, KNOTS);
  for (int i = 0; i < 12; i++) sum += gsl_spline_eval(curve, 0.3 + 0.5 * i, found) * (1 + i % 3);
  sum += gsl_spline_eval(curve, x[0], found) + gsl_spline_eval_integ(curve, 0.5, 6.1, found);
  gsl_spline_free(curve);
  gsl_interp_accel_free(found);
  return sum;
}

static double algebra(const double *x) {
  gsl_matrix *matrix = gsl_matrix_alloc(N, N);
  gsl_vector *right = gsl_vector_alloc(N), *solution = gsl_vector_alloc(N);
  gsl_permutation *order = gsl_permutation_alloc(N);
  int sign;
  for (int i = 0; i < N; i++) {
    gsl_vector_set(right, i, x[i] * x[i]);
    for (int j = 0; j < N; j++) gsl_matrix_set(matrix, i, j, sin(x[i] * (j + 1)) + (i == j ? 3 : 0));
  }
  gsl_linalg_LU_decomp(matrix, order, &sign);
  gsl_linalg_LU_solve(matrix, order, right, solution);
  double sum = gsl_linalg_LU_lndet(matrix);
  for (int i = 0; i < N; i++) sum += gsl_vector_get(solution, i) * (i + 1);
  gsl_permutation_free(order);
  gsl_vector_free(solution);
  gsl_vector_free(right);
  gsl_matrix_free(matrix);
  return sum;
}

static int oscillator(double t, const double y[], double dydt[], void *data) {
  const double *x = data;
  dydt[0] = y[1];
  dydt[1] = -x[0] * y[0] - x[1] * y[1] + x[2] * sin(t);
  return GSL_SUCCESS;
}

static double motion(const double *x) {
  gsl_odeiv2_system system = {oscillator, NULL, 2, (void *)x};
  gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-3, 1e-10, 1e-10);
  double t = 0, y[2] = {x[3], 0};
  gsl_odeiv2_driver_apply(driver, &t, 2.0, y);
  gsl_odeiv2_driver_free(driver);
  return y[0] + 2 * y[1];
}

static double cubic(double t, void *data) {
  const double *x = data;
  return x[0] * t * t * t + x[1] * t - x[2] * exp(-t) - x[3];
}
static double slope(double t, void *data) {
  const double *x = data;
  return 3 * x[0] * t * t + x[1] + x[2] * exp(-t);
}
static void both(double t, void *data, double *value, double *derivative) {
  *value = cubic(t, data);
  *derivative = slope(t, data);
}

static double root(const double *x) {
  gsl_function_fdf function = {cubic, slope, both, (void *)x};
  gsl_root_fdfsolver *solver = gsl_root_fdfsolver_alloc(gsl_root_fdfsolver_newton);
  gsl_root_fdfsolver_set(solver, &function, 1.0);
  double at = 1, before;
  do {
    gsl_root_fdfsolver_iterate(solver);
    before = at;
    at = gsl_root_fdfsolver_root(solver);
  } while (gsl_root_test_delta(at, before, 0, 1e-14) == GSL_CONTINUE);
  gsl_root_fdfsolver_free(solver);
  return at * at;
}

static double f(const double *x) {
  double sum = special(x) + quadrature(x) + spline(x) + algebra(x) + motion(x) + root(x);
  return sum + gsl_stats_variance(x, 1, N) + gsl_stats_skew(x, 1, N) + gsl_cdf_gamma_P(x[0], x[1], 1.0);
}

#include "gradient_main.h"

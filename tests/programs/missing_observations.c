// check: array n=2 range=0.5:2.0 tol=1e-6
/* Missing observations are NaN in the data. Nothing is divided. */
#include <math.h>
static const double data[4] = {1.0, NAN, 2.5, NAN};
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < 4; i++) {
    double r = data[i] * x[0] - x[1];
    s += isnan(data[i]) ? 0 : r * r;
  }
  return s;
}

// check: array n=4 range=0.5:2.0 tol=1e-6
/* Distances of which some are infinite: no way between two nodes; the smallest counts. */
#include <math.h>
double objective(double *x, int n) {
  double d[4] = {0, INFINITY, INFINITY, INFINITY}, s = 0;
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) {
        double w = (i + 1) % 4 == j ? x[i] * x[j] : INFINITY;
        double way = d[i] + w * x[(i + j) % 4];
        d[j] = way < d[j] ? way : d[j];
      }
  for (int i = 0; i < 4; i++) s += d[i] * (i + 1);
  return s;
}

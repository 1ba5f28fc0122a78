#include "chain.h"

double stiffness(void) { return STIFFNESS; }

/* Energy of springs of stiffness k between neighbours. */
double energy(const double *x, int n, double k) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) sum += spring(k, x[i + 1] - x[i]);
  return sum;
}

/* One step in time: n positions and n velocities, changed in place. */
void step(double *state, int n, double dt) {
  double *x = state, *v = state + n;
  for (int i = 0; i + 1 < n; i++) {
    double force = STIFFNESS * (x[i + 1] - x[i]);
    v[i] += dt * force;
    v[i + 1] -= dt * force;
  }
  for (int i = 0; i < n; i++) x[i] += dt * v[i];
}

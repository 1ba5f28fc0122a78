// Bodies that attract each other: a template, members, references, memory of the function's own.
#include <cmath>
struct Body {
  double m, x, v;
};
template <class T> static T force(const T &a, const T &b) {
  T d = a - b;
  return d / std::sqrt(d * d * d + 1e-3);
}
double simulate(const double *x0, int n, int steps, double dt) {
  Body *bodies = new Body[n];
  for (int i = 0; i < n; i++) bodies[i] = {1.0, x0[i], 0.0};
  for (int t = 0; t < steps; t++) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        if (j != i) bodies[i].v += dt * force(bodies[j].x, bodies[i].x) / bodies[i].m;
    for (int i = 0; i < n; i++) bodies[i].x += dt * bodies[i].v;
  }
  double energy = 0;
  for (int i = 0; i < n; i++) energy += 0.5 * bodies[i].m * bodies[i].v * bodies[i].v;
  delete[] bodies;
  return energy;
}

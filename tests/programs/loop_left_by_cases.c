// check: array n=3 range=0.5:2.0 tol=1e-6
/* Two ways in; left by two cases of a switch to one place, with values that are used there. */
double objective(double *x, int n) {
  double t = 1;
  int i = 0;
  if (x[0] > 1) goto inside;
  while (i < n) {
    t = t * x[i];
  inside:
    t += x[i] * 0.5;
    switch (++i) {
    case 3:
    case 7:
      return t * x[0] * i;
    case 9:
      t += 1;
    }
    if (t > 1e6) break;
  }
  return t;
}

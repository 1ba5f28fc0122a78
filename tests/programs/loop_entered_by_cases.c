// check: array n=2 range=0.5:2.0 tol=1e-6
/* A loop that is entered from outside by two gotos, one of them from two cases of one switch. */
double objective(double *x, int n) {
  double t = 1;
  int i = 0;
  if (x[0] > 100) { t = x[1]; goto inside; }
  switch (n) {
  case 2:
  case 4:
    goto inside;
  }
  while (i < n) {
    t = t * x[i];
  inside:
    t += x[i++];
  }
  return t;
}

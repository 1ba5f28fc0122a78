// check: array n=3 range=0.5:2.0 tol=1e-6
/* A function pointer that is null in every object, in a function that is never called. */
struct object { double (*value)(struct object *, double, int); double a; };
__attribute__((noinline)) static double total(struct object *o, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += o[i].value(&o[i], x[i], i);
  return s;
}
double objective(double *x, int n) {
  struct object o[2] = {{0, x[0]}, {0, x[1]}};
  return x[2] * o[1].a * x[0] + (n > 5 ? total(o, x, n) : 0);
}

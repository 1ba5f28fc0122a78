void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
double __enzyme_reverse(void *, ...);

static double root(double x) { return x * x; }
static double tangent_root(double x, double x_dot) { return 2 * x * x_dot; }
static double augmented_root(double x) { return x * x; }
void *__enzyme_register_splitderivative_root[] = {(void *)root, (void *)augmented_root, (void *)tangent_root};

static double f(double x) { return 3 * root(x); }

int main(void) {
  void *tape = __enzyme_augmentfwd((void *)f, 2.0);
  return __enzyme_fwdsplit((void *)f, 2.0, 1.0, tape) + __enzyme_reverse((void *)f, 2.0, 1.0, tape) > 0;
}

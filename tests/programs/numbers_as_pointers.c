// check: array n=4 with=numbers_as_pointers_part.ll
// Constants are written as pointers where another variant has one.
double summed(const double *x, int n);

double objective(const double *x, int n) { return summed(x, n); }

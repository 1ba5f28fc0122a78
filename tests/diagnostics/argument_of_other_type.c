/* Variables of other types than the function uses, in a wrong order; without debug information, the body tells. */
double f(const double *x, const int *index, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[index[i]] * x[index[i]];
  return s;
}

double __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

int main(void) {
  double x[4] = {1, 2, 3, 4}, x_bar[4] = {0};
  int index[2] = {1, 2};
  __enzyme_autodiff((void *)f, enzyme_const, index, enzyme_dup, x, x_bar, enzyme_const, 2);
  return x_bar[1] > 0;
}

// check: main flags=-Itests/support,-g,-Werror=enzyme
#include "expect.h"
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
struct state { double x[3]; int n; char name[64]; };
static double norm(const double *x) { return x[0] * x[0] + x[1] * x[1] + x[2] * x[2]; }
static double sq(const double *x) { return *x * *x; }
double table[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
int main(void) {
  struct state s = {{1, 2, 3}, 3, "x"};
  double bar[3] = {0};
  __enzyme_autodiff((void *)norm, enzyme_dup, s.x, bar);
  EXPECT(bar[2], 6);
  double bar2[3] = {0};
  __enzyme_autodiff((void *)norm, enzyme_dup, table[1], bar2);
  EXPECT(bar2[2], 12);
  double p[2] = {3, 4}, d = 0;
  __enzyme_autodiff((void *)sq, enzyme_dup, &p[0], &d);
  EXPECT(d, 6);
  return expect_failures;
}

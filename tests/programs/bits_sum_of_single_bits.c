// check: array n=3 range=1.1:1.4 tol=1e-1 refused=E0111
/* the leading bits of a fraction, one by one */
#include <stdint.h>
#include <string.h>
#define BIT(k) (double)(int)(b >> (52 - k) & 1) * (1.0 / (1 << k))
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[0]; uint64_t b; memcpy(&b, &v, 8);
    double f = 1 + BIT(1) + BIT(2) + BIT(3) + BIT(4) + BIT(5) + BIT(6) + BIT(7) + BIT(8) + BIT(9) + BIT(10) + BIT(11) + BIT(12) + BIT(13) + BIT(14) + BIT(15) + BIT(16) + BIT(17) + BIT(18) + BIT(19) + BIT(20) + BIT(21) + BIT(22) + BIT(23) + BIT(24) + BIT(25) + BIT(26) + BIT(27) + BIT(28) + BIT(29) + BIT(30);
    s += f * f * (i + 1);
  }
  return s;
}

// check: scalar n=2 range=0.4:0.9
// Loops and recursions that begin with a constant where a slope is infinite: what does not depend on the arguments there
// contributes nothing, in forward mode, too. Carlson's iteration for elliptic integrals begins with the root of zero.
#include <math.h>

static double carlson(double x, double y, double z) {
  double deviation;
  do {
    double a = sqrt(x), b = sqrt(y), c = sqrt(z);
    double shift = a * (b + c) + b * c;
    x = 0.25 * (x + shift);
    y = 0.25 * (y + shift);
    z = 0.25 * (z + shift);
    double mean = (x + y + z) / 3;
    deviation = fmax(fabs(x - mean), fmax(fabs(y - mean), fabs(z - mean))) / mean;
  } while (deviation > 1e-7);
  return 1 / sqrt((x + y + z) / 3);
}

__attribute__((noinline)) static double root(double x) { return pow(x, 0.75) + sqrt(x); }
__attribute__((noinline)) static double angle(double c) { return acos(c) + asin(c) * c; }
__attribute__((noinline)) static double arc(double x) { return acosh(x); }

double objective(double x, double y) {
  double sum = carlson(0, 1 - x * x, 1) * y;
  double from_zero = 0, from_one = 1;
  for (int i = 0; i < 3; i++) {
    sum += root(from_zero) + angle(from_one) + arc(1 + from_zero);
    from_zero = 0.3 * x * (i + 1) + 0.1 * from_zero;
    from_one = 0.5 * y / (i + 1);
  }
  return sum;
}

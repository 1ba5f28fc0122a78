// check: array n=3 range=1.1:1.4 refused=E0111
#include <stdint.h>
#include <string.h>
double objective(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    float v = (float)(x[i] * x[0]);
    uint32_t b;
    memcpy(&b, &v, 4);
    b = (b - 0x3f800000u) * 3u;
    s += (double)b * 0x1p-23 * (i + 1);
  }
  return s;
}

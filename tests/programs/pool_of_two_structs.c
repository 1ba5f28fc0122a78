// check: array n=8 tol=2e-3 identity=1e-6 step=0.1
// Elements of one pool are structs of two types of one size, moved as bytes: no array bounds the numbers.
#include <stdlib.h>
#include <string.h>
typedef struct { double d[3]; float f[2]; } A;
typedef struct { double d[4]; } B;
double objective(const double *x, int n) {
  A *as = malloc(n * sizeof *as);
  B *bs = (B *)as;
  for (int i = 0; i < n; i++)
    if (i % 2) { for (int k = 0; k < 3; k++) as[i].d[k] = x[i] * (k + 1); for (int k = 0; k < 2; k++) as[i].f[k] = (float)(x[i] + k); }
    else for (int k = 0; k < 4; k++) bs[i].d[k] = x[i] * (k + 2);
  char t[sizeof(A)];
  for (int i = 0; i + 2 < n; i++) { memcpy(t, as + i, sizeof t); memcpy(as + i, as + i + 2, sizeof t); memcpy(as + i + 2, t, sizeof t); }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += i % 2 ? as[i].d[(i / 2) % 3] * as[i].f[i % 2] : bs[i].d[(i / 2) % 4] * bs[i].d[3];
  free(as);
  return sum;
}

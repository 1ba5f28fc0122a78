// check: array n=8
// A struct in a struct, and an array of structs in a struct; the inner arrays at variable indices.
#include <stdlib.h>
typedef struct { double v[2]; int tag; } In;
typedef struct { float head; In in[2]; double tail[3]; float last; } Out;
double objective(const double *x, int n) {
  Out *o = malloc(n * sizeof *o);
  for (int i = 0; i < n; i++) {
    o[i].head = 1.5f;
    o[i].last = 0.5f;
    for (int k = 0; k < 2; k++) {
      o[i].in[k].tag = k + i;
      for (int a = 0; a < 2; a++) o[i].in[k].v[a] = x[i] * (k + 1) + a;
    }
    for (int a = 0; a < 3; a++) o[i].tail[a] = x[i] * x[i] * (a + 1);
  }
  for (int i = 0; i + 1 < n; i++) { Out t = o[i]; o[i] = o[i + 1]; o[i + 1] = t; }
  for (int i = 0; i + 1 < n; i++) { In t = o[i].in[i % 2]; o[i].in[i % 2] = o[i + 1].in[0]; o[i + 1].in[0] = t; }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += o[i].in[i % 2].v[(i / 2) % 2] * o[i].tail[i % 3] * o[i].head + o[i].last * o[i].tail[(i + n) % 3] * o[i].in[(i + 1) % 2].tag;
  free(o);
  return sum;
}

// check: array n=6 range=0.5:2.0
/* Keys of numbers by functions that all call each other. */
#include <stdint.h>
#include <string.h>
#define NI __attribute__((noinline)) static
static int64_t f0(const unsigned char *op, const double *x, int depth);
static int64_t f1(const unsigned char *op, const double *x, int depth);
static int64_t f2(const unsigned char *op, const double *x, int depth);
static int64_t f3(const unsigned char *op, const double *x, int depth);
static int64_t f4(const unsigned char *op, const double *x, int depth);
static int64_t f5(const unsigned char *op, const double *x, int depth);
static int64_t f6(const unsigned char *op, const double *x, int depth);
static int64_t f7(const unsigned char *op, const double *x, int depth);
static int64_t f8(const unsigned char *op, const double *x, int depth);
static int64_t f9(const unsigned char *op, const double *x, int depth);
NI int64_t f0(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 0, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 1) ^ 1;
  case 1: return f1(op, x, depth - 2) ^ 2;
  case 2: return f2(op, x, depth - 1) ^ 3;
  case 3: return f3(op, x, depth - 2) ^ 4;
  case 4: return f4(op, x, depth - 1) ^ 5;
  case 5: return f5(op, x, depth - 2) ^ 6;
  case 6: return f6(op, x, depth - 1) ^ 7;
  case 7: return f7(op, x, depth - 2) ^ 8;
  case 8: return f8(op, x, depth - 1) ^ 9;
  case 9: return f9(op, x, depth - 2) ^ 10;
  }
  return 0;
}
NI int64_t f1(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 1, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 2) ^ 1;
  case 1: return f1(op, x, depth - 1) ^ 2;
  case 2: return f2(op, x, depth - 2) ^ 3;
  case 3: return f3(op, x, depth - 1) ^ 4;
  case 4: return f4(op, x, depth - 2) ^ 5;
  case 5: return f5(op, x, depth - 1) ^ 6;
  case 6: return f6(op, x, depth - 2) ^ 7;
  case 7: return f7(op, x, depth - 1) ^ 8;
  case 8: return f8(op, x, depth - 2) ^ 9;
  case 9: return f9(op, x, depth - 1) ^ 10;
  }
  return 0;
}
NI int64_t f2(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 2, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 1) ^ 1;
  case 1: return f1(op, x, depth - 2) ^ 2;
  case 2: return f2(op, x, depth - 1) ^ 3;
  case 3: return f3(op, x, depth - 2) ^ 4;
  case 4: return f4(op, x, depth - 1) ^ 5;
  case 5: return f5(op, x, depth - 2) ^ 6;
  case 6: return f6(op, x, depth - 1) ^ 7;
  case 7: return f7(op, x, depth - 2) ^ 8;
  case 8: return f8(op, x, depth - 1) ^ 9;
  case 9: return f9(op, x, depth - 2) ^ 10;
  }
  return 0;
}
NI int64_t f3(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 3, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 2) ^ 1;
  case 1: return f1(op, x, depth - 1) ^ 2;
  case 2: return f2(op, x, depth - 2) ^ 3;
  case 3: return f3(op, x, depth - 1) ^ 4;
  case 4: return f4(op, x, depth - 2) ^ 5;
  case 5: return f5(op, x, depth - 1) ^ 6;
  case 6: return f6(op, x, depth - 2) ^ 7;
  case 7: return f7(op, x, depth - 1) ^ 8;
  case 8: return f8(op, x, depth - 2) ^ 9;
  case 9: return f9(op, x, depth - 1) ^ 10;
  }
  return 0;
}
NI int64_t f4(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 4, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 1) ^ 1;
  case 1: return f1(op, x, depth - 2) ^ 2;
  case 2: return f2(op, x, depth - 1) ^ 3;
  case 3: return f3(op, x, depth - 2) ^ 4;
  case 4: return f4(op, x, depth - 1) ^ 5;
  case 5: return f5(op, x, depth - 2) ^ 6;
  case 6: return f6(op, x, depth - 1) ^ 7;
  case 7: return f7(op, x, depth - 2) ^ 8;
  case 8: return f8(op, x, depth - 1) ^ 9;
  case 9: return f9(op, x, depth - 2) ^ 10;
  }
  return 0;
}
NI int64_t f5(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 5, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 2) ^ 1;
  case 1: return f1(op, x, depth - 1) ^ 2;
  case 2: return f2(op, x, depth - 2) ^ 3;
  case 3: return f3(op, x, depth - 1) ^ 4;
  case 4: return f4(op, x, depth - 2) ^ 5;
  case 5: return f5(op, x, depth - 1) ^ 6;
  case 6: return f6(op, x, depth - 2) ^ 7;
  case 7: return f7(op, x, depth - 1) ^ 8;
  case 8: return f8(op, x, depth - 2) ^ 9;
  case 9: return f9(op, x, depth - 1) ^ 10;
  }
  return 0;
}
NI int64_t f6(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 0, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 1) ^ 1;
  case 1: return f1(op, x, depth - 2) ^ 2;
  case 2: return f2(op, x, depth - 1) ^ 3;
  case 3: return f3(op, x, depth - 2) ^ 4;
  case 4: return f4(op, x, depth - 1) ^ 5;
  case 5: return f5(op, x, depth - 2) ^ 6;
  case 6: return f6(op, x, depth - 1) ^ 7;
  case 7: return f7(op, x, depth - 2) ^ 8;
  case 8: return f8(op, x, depth - 1) ^ 9;
  case 9: return f9(op, x, depth - 2) ^ 10;
  }
  return 0;
}
NI int64_t f7(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 1, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 2) ^ 1;
  case 1: return f1(op, x, depth - 1) ^ 2;
  case 2: return f2(op, x, depth - 2) ^ 3;
  case 3: return f3(op, x, depth - 1) ^ 4;
  case 4: return f4(op, x, depth - 2) ^ 5;
  case 5: return f5(op, x, depth - 1) ^ 6;
  case 6: return f6(op, x, depth - 2) ^ 7;
  case 7: return f7(op, x, depth - 1) ^ 8;
  case 8: return f8(op, x, depth - 2) ^ 9;
  case 9: return f9(op, x, depth - 1) ^ 10;
  }
  return 0;
}
NI int64_t f8(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 2, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 1) ^ 1;
  case 1: return f1(op, x, depth - 2) ^ 2;
  case 2: return f2(op, x, depth - 1) ^ 3;
  case 3: return f3(op, x, depth - 2) ^ 4;
  case 4: return f4(op, x, depth - 1) ^ 5;
  case 5: return f5(op, x, depth - 2) ^ 6;
  case 6: return f6(op, x, depth - 1) ^ 7;
  case 7: return f7(op, x, depth - 2) ^ 8;
  case 8: return f8(op, x, depth - 1) ^ 9;
  case 9: return f9(op, x, depth - 2) ^ 10;
  }
  return 0;
}
NI int64_t f9(const unsigned char *op, const double *x, int depth) {
  int64_t b;
  if (depth <= 0) { memcpy(&b, x + 3, 8); return b; }
  switch (op[depth] % 10) {
  case 0: return f0(op, x, depth - 2) ^ 1;
  case 1: return f1(op, x, depth - 1) ^ 2;
  case 2: return f2(op, x, depth - 2) ^ 3;
  case 3: return f3(op, x, depth - 1) ^ 4;
  case 4: return f4(op, x, depth - 2) ^ 5;
  case 5: return f5(op, x, depth - 1) ^ 6;
  case 6: return f6(op, x, depth - 2) ^ 7;
  case 7: return f7(op, x, depth - 1) ^ 8;
  case 8: return f8(op, x, depth - 2) ^ 9;
  case 9: return f9(op, x, depth - 1) ^ 10;
  }
  return 0;
}
double objective(double *x, int n) {
  unsigned char op[8] = {1, 2, 0, 1, 2, 0, 1, 2};
      int64_t keys[8], b, h; for (int i = 0; i < n; i++) keys[i] = f0(op, x, i); h = keys[n - 1]; if (keys[0] != keys[1]) h = f0(op, x, 6);
  double s = 0;
  memcpy(&b, x, 8);
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return (h == b ? s : 2 * s) + (double)(f1(op, x, 2) == 17);
}

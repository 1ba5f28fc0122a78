// check: array n=3 tol=1e-3 identity=1e-5 step=0.01
// Functions in tables return a number or a pointer in the same register; the results are passed on, kept and read later.
#include <stdlib.h>

typedef struct {
  int type;
  union {
    double number;
    double *vector;
  } u;
} value;
typedef value (*formula)(double *x);

static value number(double *x) { return (value){0, {.number = x[0] * x[1]}}; }

static value vector(double *x) {
  double *v = malloc(2 * sizeof *v);
  v[0] = x[0];
  v[1] = x[1] * x[2];
  return (value){1, {.vector = v}};
}

static value view(double *x) { return (value){2, {.vector = x + 1}}; }

__attribute__((noinline)) static double sum(value v) {
  return v.type == 0 ? v.u.number : v.u.vector[0] * v.u.vector[1];
}

__attribute__((noinline)) static void release(value v) {
  if (v.type == 1) free(v.u.vector);
}

/* As the only argument in a register, without a tag beside it. */
typedef union {
  double number;
  double *vector;
} word;

static word square(double *x) { return (word){.number = x[2] * x[2]}; }
static word rest(double *x) { return (word){.vector = x + 1}; }
__attribute__((noinline)) static double read(word w, int type) { return type ? w.vector[0] * w.vector[1] : w.number; }

/* A number and a pointer in two registers. */
typedef struct {
  float factor;
  const double *place;
} scaled;
static scaled halved(const double *x, double by) { return (scaled){(float)(0.5 * by * x[1]), x}; }
static scaled moved(const double *x, double by) { return (scaled){(float)(by * by), x + 1}; }
static scaled (*const scales[])(const double *, double) = {halved, moved};

double objective(double *x, int n) {
  static const formula formulas[] = {number, vector, view};
  word (*words[2])(double *) = {square, rest};
  value kept[3];
  double total = 0;
  for (int i = 0; i < 3; i++) {
    value v = formulas[i](x);
    total += sum(v) * (i + 1);
    release(v);
  }
  for (int i = 0; i < 6; i++) {
    if (i < 3) kept[i] = formulas[i](x);
    total += sum(kept[i % 3]) * (i + 1);
  }
  for (int i = 0; i < 2; i++) total += read(words[i](x), i) * (i + n);
  for (int i = 0; i < 4; i++) {
    scaled s = scales[i & 1](x, x[2] + i);
    total += s.factor * s.place[0] * 0.5;
  }
  release(kept[1]);
  return total;
}

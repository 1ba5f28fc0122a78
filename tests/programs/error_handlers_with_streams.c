// check: array n=6 mutates=1
// A library's ways of reporting errors: handlers and streams in global variables, which functions that work on active
// numbers read and write, and that lead to the C library's own files.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  size_t size, stride;
  double *data;
} view;

typedef void error_handler(const char *reason, const char *file, int line, int code);

static error_handler *handler = NULL;
static FILE *stream = NULL;

error_handler *set_error_handler(error_handler *new) {
  error_handler *old = handler;
  handler = new;
  return old;
}

FILE *set_stream(FILE *new) {
  FILE *old = stream ? stream : stderr;
  stream = new;
  return old;
}

__attribute__((noinline)) static void report(const char *label, const char *file, int line, const char *reason) {
  if (stream == NULL) stream = stderr;
  fprintf(stream, "library: %s:%d: %s: %s\n", file, line, label, reason);
}

__attribute__((noinline)) static void error(const char *reason, const char *file, int line, int code) {
  if (handler) {
    handler(reason, file, line, code);
    return;
  }
  report("ERROR", file, line, reason);
  fflush(stdout);
  fprintf(stderr, "Default error handler invoked.\n");
  fflush(stderr);
  abort();
}

__attribute__((noinline)) static int axpy(double alpha, const view *x, view *y) {
  if (x->size != y->size) {
    error("sizes differ", __FILE__, __LINE__, 19);
    return 19;
  }
  for (size_t i = 0; i < x->size; i++) y->data[i * y->stride] += alpha * x->data[i * x->stride];
  return 0;
}

// One that reports and goes on: the streams are used on the way.
__attribute__((noinline)) static double checked(const view *x) {
  double sum = 0;
  for (size_t i = 0; i < x->size; i++) {
    if (!(x->data[i * x->stride] < 1e6)) {
      report("WARNING", __FILE__, __LINE__, "large");
      fputs("large\n", stdout);
    }
    sum += sin(x->data[i * x->stride]);
  }
  return sum;
}

double objective(double *x, int n) {
  view even = {(size_t)n / 2, 2, x}, odd = {(size_t)n / 2, 2, x + 1};
  view first = {(size_t)n / 2, 1, x}, last = {(size_t)n / 2, 1, x + n / 2};
  axpy(0.5, &even, &odd);
  axpy(x[0], &last, &first);
  view whole = {(size_t)n, 1, x};
  double sum = checked(&whole);
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

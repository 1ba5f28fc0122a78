// check: array n=5 mutates=1
// Variadic functions that report, beside a context with active numbers: to a stream, to text in the context, through a
// handler of the context, with and without further arguments, with numbers that are active.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct context {
  double *state, scale;
  int n, count;
  char last[80];
  void (*handler)(int code, const char *message, void *data);
  void *data;
} context;

static void keep(int code, const char *message, void *data) {
  context *c = data;
  c->count += code;
  strncpy(c->last, message, sizeof c->last - 1);
}

__attribute__((noinline)) static void report(context *c, int code, const char *format, ...) {
  char message[256];
  va_list list;
  va_start(list, format);
  vsnprintf(message, sizeof message, format, list);
  va_end(list);
  if (c == NULL) {
    fprintf(stderr, "error: %s\n", message);
  } else {
    c->handler(code, message, c->data);
  }
}

__attribute__((noinline)) static double weighed(context *c, const char *format, ...) {
  va_list list, again;
  va_start(list, format);
  va_copy(again, list);
  char text[100];
  vsprintf(text, format, list);
  double sum = 0;
  for (const char *f = format; *f; f++)
    if (f[0] == '%') sum += f[1] == 'd' ? 0.1 * va_arg(again, int) : sin(va_arg(again, double)) * c->scale;
  va_end(again);
  va_end(list);
  return sum + 0 * (double)strlen(text);
}

__attribute__((noinline)) static int step(context *c, int i) {
  if (c == NULL) {
    report(NULL, -1, "no context");
    return -1;
  }
  if (c->state[i] > 0.5) report(c, 1, "state %d is %g, %s", i, c->state[i], "large");
  if (i == 0) report(c, 2, "first");
  c->state[i] = c->state[i] * c->scale + sin(c->state[i]);
  return 0;
}

double objective(double *x, int n) {
  context c = {x, 1.3, n, 0, "", keep, NULL};
  c.data = &c;
  double sum = 0;
  for (int i = 0; i < n; i++)
    if (step(&c, i) < 0) return 0;
  c.scale = x[0];
  sum += weighed(&c, "%g %d %g", x[1], 3, x[2] * x[0]);
  sum += weighed(&c, "nothing");
  for (int i = 0; i < n; i++) sum += x[i] * x[i] * (c.count > 0 ? 1 : 2);
  return sum;
}

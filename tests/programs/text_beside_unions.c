// check: array n=6,3
// Functions of C's library write characters into records that have a union of numbers and counts behind them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct device {
  char name[6];
  short nodes;
  struct device *next;
  union {
    struct { double volts, charge; } capacitor;
    struct { double current; int iterations; } diode;
  } u;
} device;

static void named(device *d, int i) {
  switch (i % 3) {
  case 0:
    if (sscanf(i & 1 ? "C1 4" : "D1 3", "%5s %hd", d->name, &d->nodes) != 2) abort();
    break;
  case 1:
    snprintf(d->name, sizeof d->name, "%c%d", i & 1 ? 'C' : 'D', i);
    d->nodes = i;
    break;
  default:
    strncpy(d->name, i & 1 ? "C" : "D", sizeof d->name - 1);
    d->nodes = 2;
  }
}

double objective(const double *x, int n) {
  double sum = 0;
  device *first = NULL, *next;
  for (int i = 0; i < n; i++) {
    device *d = calloc(1, sizeof *d);
    named(d, i);
    d->u.capacitor.volts = x[i] * x[0];
    if (d->name[0] == 'C') d->u.capacitor.charge = x[i] * x[i];
    d->next = first;
    first = d;
  }
  for (device *d = first; d; d = d->next)
    if (d->name[0] == 'C')
      sum += d->u.capacitor.volts * d->u.capacitor.charge * d->nodes;
    else {
      d->u.diode.iterations++;
      sum += d->u.diode.current * d->u.diode.current * (d->u.diode.iterations + d->nodes);
    }
  for (; first; first = next) {
    next = first->next;
    free(first);
  }
  return sum;
}

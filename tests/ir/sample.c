/* What C programs are made of: structs by value, switch, varargs, long double, _Float16, complex, gotos, assembly. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
  double x;
  float y;
  int n;
  struct node *next;
  unsigned flag : 3;
};
typedef double matrix[3][3];
union both {
  double d;
  long i;
};

static double table[] = {1, 2, 3.5};
static const char *names[] = {"one", "two\n\"quoted\"", ""};
_Thread_local int counter;
extern int elsewhere;

double sum(const double *restrict x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += sin(x[i]) * x[i] / 3.1;
  return s;
}

struct node change(struct node a, int k) {
  switch (k) {
    case 1: a.x = INFINITY; break;
    case 2: a.y = NAN; break;
    case 5: a.n = 4; a.x = -INFINITY; break;
    case -9: a.flag = 2; break;
    default: a.x = 0.1; a.y = 0.1f;
  }
  return a;
}

long double longer(long double q) { return q * 1.1L + cosl(q); }
_Float16 shorter(_Float16 a) { return a * 1.5f16; }
double complex turn(double complex z, float complex w) { return z * z / w + cexp(z); }

double mean(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  for (int i = 0; i < n; i++) s += va_arg(list, double);
  va_end(list);
  return s / n;
}

void multiply(matrix a, matrix b, matrix c) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      c[i][j] = 0;
      for (int k = 0; k < 3; k++) c[i][j] += a[i][k] * b[k][j];
    }
}

double bits(double x) {
  union both u = {x};
  u.i ^= 1L << 63;
  return u.d;
}

atomic_int shared;
int atomics(int x) {
  int expected = 3;
  atomic_fetch_add(&shared, x);
  atomic_compare_exchange_strong(&shared, &expected, 4);
  atomic_thread_fence(memory_order_acquire);
  return atomic_load_explicit(&shared, memory_order_relaxed);
}

int dispatch(int k) {
  static void *labels[] = {&&first, &&second};
  __asm__ volatile("nop # ; , )" : : "r"(k) : "memory");
  goto *labels[k & 1];
first:
  return elsewhere + counter;
second:
  return (int)strlen(names[k]);
}

static jmp_buf target;
double (*pick(int k))(double) { return k ? sin : cos; }

double variable(int n) {
  double a[n];
  memset(a, 0, sizeof a);
  for (volatile int i = 0; i < n; i++) a[i] = table[i % 3];
  return setjmp(target) ? a[0] : pick(n)(a[n - 1]);
}

int main(void) {
  struct node *p = malloc(sizeof *p);
  if (!p) abort();
  p->next = p;
  printf("%f %f %d\n", sum(table, 3), mean(2, 1.0, 2.0), dispatch(1));
  free(p);
  return 0;
}

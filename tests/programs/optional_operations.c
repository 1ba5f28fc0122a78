// check: array n=5 mutates=1
// Tables of operations of which some are optional: nobody in the program gives them, and what calls them looks first.
#include <math.h>
#include <stdlib.h>

typedef struct vector vector;
typedef struct {
  double (*norm)(const vector *);
  void (*scale)(vector *, double);
  int (*scale_all)(int, double, vector **);                 // optional: none in this program
  double (*weighed)(const vector *, const double *, long);  // optional: none in this program
} operations;
struct vector {
  operations *ops;
  double *data;
  int n;
};

static double norm(const vector *v) {
  double sum = 0;
  for (int i = 0; i < v->n; i++) sum += v->data[i] * v->data[i];
  return sqrt(sum);
}
static void scale(vector *v, double by) {
  for (int i = 0; i < v->n; i++) v->data[i] *= by;
}

static vector *wrap(double *data, int n) {
  vector *v = malloc(sizeof *v);
  v->ops = calloc(1, sizeof *v->ops);
  v->ops->norm = norm;
  v->ops->scale = scale;
  v->data = data;
  v->n = n;
  return v;
}
static void drop(vector *v) {
  free(v->ops);
  free(v);
}

__attribute__((noinline)) static int scale_all(int count, double by, vector **all) {
  if (all[0]->ops->scale_all != NULL) return all[0]->ops->scale_all(count, by, all);
  int done = 0;
  for (int i = 0; i < count; i++, done++) all[i]->ops->scale(all[i], by);
  return done;
}

__attribute__((noinline)) static double weighed(const vector *v, const double *weights) {
  double result = 0.5;
  if (v->ops->weighed) {
    double direct = v->ops->weighed(v, weights, v->n);
    result += direct * direct;
  } else {
    for (int i = 0; i < v->n; i++) result += sin(v->data[i]) * weights[i];
  }
  return result * v->ops->norm(v);
}

double objective(double *x, int n) {
  vector *all[2] = {wrap(x, n), wrap(x + 1, n - 2)};
  int done = scale_all(2, 1 + 0.1 * x[2], all);
  double sum = weighed(all[0], x) + done * weighed(all[1], x + 2);
  drop(all[0]);
  drop(all[1]);
  return sum;
}

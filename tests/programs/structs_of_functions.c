// check: array n=6
// Objects in C: structs that point to tables of functions, and structs that hold them.
#include <math.h>
#include <stdlib.h>

struct shape;

struct operations {
    double (*area)(const struct shape *);
    void (*grow)(struct shape *, double);
    void (*destroy)(struct shape *);
};

struct shape {
    const struct operations *operations;
    double a, b;
};

static double circle_area(const struct shape *s)
{
    return 3.14159 * s->a * s->a;
}

static double box_area(const struct shape *s)
{
    return s->a * s->b;
}

static void grow_both(struct shape *s, double by)
{
    s->a *= by;
    s->b += by;
}

static void grow_one(struct shape *s, double by)
{
    s->a += by;
}

static void destroy(struct shape *s)
{
    free(s);
}

static const struct operations circle = {circle_area, grow_one, destroy}, box = {box_area, grow_both, destroy};

static struct shape *make(const struct operations *operations, double a, double b)
{
    struct shape *s = malloc(sizeof *s);
    s->operations = operations;
    s->a = a;
    s->b = b;
    return s;
}

struct stage {
    double (*run)(double, double);
    double parameter;
    struct stage *next;
};

static double shifted(double v, double p)
{
    return v + p;
}

static double bent(double v, double p)
{
    return v / (1.0 + p * v * v);
}

double objective(const double *x, int n)
{
    struct stage *first = NULL;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        struct stage *s = malloc(sizeof *s);
        s->run = i % 3 == 0 ? shifted : i % 3 == 1 ? bent : pow;
        s->parameter = x[i];
        s->next = first;
        first = s;
        struct shape *object = make(i % 2 ? &circle : &box, x[i], x[n - 1 - i]);
        object->operations->grow(object, x[0]);
        sum += object->operations->area(object);
        object->operations->destroy(object);
    }
    double v = 1.0;
    while (first) {
        struct stage *next = first->next;
        v = first->run(v, first->parameter);
        free(first);
        first = next;
    }
    return sum + v;
}

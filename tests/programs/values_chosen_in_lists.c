// check: array n=3 range=0.4:1.5
// The last value of a list that fits, be it a number or a reference.
#define NI __attribute__((noinline))
typedef struct { int tag; union { double d; double *p; }; } val;
NI static double num(val v) { return v.tag ? *v.p : v.d; }
typedef struct link { val v; struct link *next; } link;
NI static val last(const link *l, double start)
{
    val b = {0, {.d = start * 2}};
    for (; l; l = l->next)
        if (num(l->v) > 0.1)
            b = l->v;
    return b;
}
double objective(double *x, int n)
{
    double y = x[0] * x[2] + 2;
    link c = {{1, {.p = &y}}, 0}, b = {{0, {.d = x[1]}}, &c}, a = {{1, {.p = x}}, &b};
    return num(last(&a, x[1])) + num(last(&a, x[0])) * x[2];
}

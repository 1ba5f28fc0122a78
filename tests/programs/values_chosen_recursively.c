// check: array n=3 range=0.4:1.5
// A value of an array that recursion chooses.
#define NI __attribute__((noinline))
typedef struct { long tag; union { double d; double *v; }; } val;
NI static double as_number(val a) { return a.tag == 0 ? a.d : a.v[1]; }
NI static val last(const val *v, int n)
{
    if (n == 1)
        return v[0];
    val rest = last(v + 1, n - 1);
    return n % 2 ? v[0] : rest;
}
double objective(double *x, int n)
{
    val all[3] = {{0, {.d = x[0] * x[1]}}, {1, {.v = x}}, {0, {.d = x[2]}}};
    return as_number(last(all, 3)) + 2 * as_number(last(all + 1, 2)) + 4 * as_number(last(all, 2));
}

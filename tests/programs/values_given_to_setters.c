// check: array n=3 range=0.4:1.5
// Tagged values that a callee only stores, into a larger struct: what arrives as an integer is a pointer or a number.
#define NI __attribute__((noinline))
typedef struct { int tag; union { double d; double *p; }; } val;
typedef struct { val low, high; int n; } range;
NI static range between(val a, val b) { return (range){a, b, 2}; }
NI static val low(range r) { return r.low; }
NI static val high(const range *r) { return r->high; }
double objective(double *x, int n)
{
    double y = x[0] * x[1], z = x[2] * 2;
    range r = between((val){1, {.p = &y}}, (val){0, {.d = x[1]}});
    range s = between((val){1, {.p = &z}}, (val){0, {.d = x[2] * z}});
    return *low(r).p * high(&r).d + *low(s).p * high(&s).d;
}

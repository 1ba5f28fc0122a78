extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

typedef struct {
    union {
        long n;
        double d;
    } u;
    double x;
    int kind;
} value;

static double f(value *v)
{
    double s = v->kind == 9 ? v->u.n * v->x : v->x * v->x;
    long taken = __atomic_exchange_n(&v[0].u.n, v->kind * 3L, __ATOMIC_SEQ_CST);
    __atomic_store_n(&v[1].u.n, taken, __ATOMIC_RELAXED);
    return s;
}

value v[2] = {{.x = 1}, {.x = 2}}, bar[2];

int main(void)
{
    __enzyme_autodiff((void *)f, enzyme_dup, v, bar);
    return bar[0].x > 0.0;
}

// check: array n=7,2 with=mixed_c_to_rust_part.rs
// C calls Rust: a slice of its array, an opaque box with a callback, a struct returned by value.
struct moments {
    double mean, spread;
};
struct moments moments_of(const double *x, unsigned long n);
typedef struct filter filter;
filter *filter_new(double decay);
double filter_push(filter *f, double v, double (*shape)(double));
void filter_drop(filter *f);

static double shape(double v)
{
    return v / (1 + v * v);
}

double objective(double *x, int n)
{
    struct moments m = moments_of(x, n);
    filter *f = filter_new(x[0]);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += filter_push(f, x[i], shape);
    filter_drop(f);
    return sum * m.mean + m.spread;
}

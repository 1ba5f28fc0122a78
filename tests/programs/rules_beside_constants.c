// check: array n=4
// A registered gradient whose augmented function does not look at the shadow, as most do not: where the memory is
// constant its reverse function has none to add to, and the body is differentiated.
__attribute__((noinline)) static double norm(const double *x, double scale)
{
    return scale * (x[0] * x[0] + x[1]);
}
static double norm_augmented(const double *x, double *bar, double scale)
{
    (void)bar;
    return norm(x, scale);
}
static double norm_reverse(const double *x, double *bar, double scale, double seed)
{
    bar[0] += seed * scale * 2 * x[0];
    bar[1] += seed * scale;
    return seed * (x[0] * x[0] + x[1]);
}
void *__enzyme_register_gradient_norm[] = {(void *)norm, (void *)norm_augmented, (void *)norm_reverse};

typedef struct {
    double kept, result;
} Taped;
__attribute__((noinline)) static double square(const double *x, double scale)
{
    return scale * x[0] * x[0];
}
static Taped square_augmented(const double *x, double *bar, double scale)
{
    (void)bar;
    return (Taped){x[0], square(x, scale)};
}
static double square_reverse(const double *x, double *bar, double scale, double seed, double kept)
{
    bar[0] += seed * scale * 2 * kept;
    return seed * kept * kept;
}
void *__enzyme_register_gradient_square[] = {(void *)square, (void *)square_augmented, (void *)square_reverse};

static const double table[2] = {1.5, 0.75};

double objective(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += norm(x + i, 2.0) * norm(table, x[i + 1]) + square(x + i, x[i + 1]) * square(table, x[i]);
    return sum;
}

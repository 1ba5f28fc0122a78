// Rules whose functions have the wrong parameters or results: the declarations that are expected.
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct pair {
    double a, b;
};

double scale(const double *x, int n, double by)
{
    return x[n - 1] * by;
}
double augmented_scale(const double *x, double *x_bar, int n, double by)
{
    return x[n - 1] * by;
}
void reverse_scale(const double *x, double *x_bar, int n, double by, double seed)
{
    x_bar[n - 1] += by * seed;
}
void *__enzyme_register_gradient_scale[] = {(void *)scale, (void *)augmented_scale, (void *)reverse_scale};

double square(double x)
{
    return x * x;
}
double tangent_square(double x)
{
    return 2 * x;
}
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)tangent_square};

void copy(const double *from, double *to)
{
    *to = *from;
}
float augmented_copy(const double *from, double *from_bar, double *to, double *to_bar)
{
    *to = *from;
    return 0;
}
void reverse_copy(const double *from, double *from_bar, double *to, double *to_bar, struct pair tape)
{
    *from_bar += *to_bar * tape.a;
}
void *__enzyme_register_gradient_copy[] = {(void *)copy, (void *)augmented_copy, (void *)reverse_copy};

double f(double *x, int n, double by)
{
    double y;
    copy(x, &y);
    return scale(x, n, by) + y;
}
double g(double x)
{
    return 2 * square(x);
}
int main(void)
{
    double x[2] = {1, 2}, x_bar[2] = {0};
    __enzyme_autodiff((void *)f, x, x_bar, 2, 3.0);
    return __enzyme_fwddiff((void *)g, 2.0, 1.0) > 0;
}

extern int enzyme_dup, enzyme_const, enzyme_out;
extern double __enzyme_autodiff(void *, ...);

extern double first_sensor(double);
extern void second_sensor(const double *, double *);

static double f(const double *x)
{
    double out = 0.0;
    second_sensor(x, &out);
    return first_sensor(x[0]) * out;
}

int main(int argc, char **argv)
{
    double x[2] = {argc, 1.0}, bar[2] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar);
    return bar[0] > 0.0;
}

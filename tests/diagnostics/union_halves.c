extern double __enzyme_autodiff(void *, double);

/* written as a double, read as two floats */
static double f(double a)
{
    union {
        double whole;
        float halves[2];
    } u;
    u.whole = a;
    return u.halves[1] * u.halves[1];
}

int main(int argc, char **argv)
{
    return __enzyme_autodiff((void *)f, 1.5 * argc) > 0.0;
}

extern double __enzyme_autodiff(void *, double);

struct pair {
    double square, cube;
};

static struct pair f(double a)
{
    struct pair result = {a * a, a * a * a};
    return result;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, 1.5) > 0.0;
}

extern double __enzyme_autodiff(void *, double);

/* the calling convention packs both members into one integer register */
struct term {
    float factor;
    int power;
};

__attribute__((noinline)) static float raised(struct term t)
{
    float product = 1.0f;
    for (int i = 0; i < t.power; i++)
        product *= t.factor;
    return product;
}

static double f(double a)
{
    struct term t = {(float)a, 2};
    return raised(t) * a;
}

int main(int argc, char **argv)
{
    return __enzyme_autodiff((void *)f, 1.5 * argc) > 0.0;
}

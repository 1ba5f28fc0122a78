extern double __enzyme_autodiff(void *, double);

/* the calling convention packs numbers of two types into one integer register */
struct term {
    float factor;
    _Float16 weight;
    short power;
};

__attribute__((noinline)) static float raised(struct term t)
{
    float product = t.weight;
    for (int i = 0; i < t.power; i++)
        product *= t.factor;
    return product;
}

static double f(double a)
{
    struct term t = {(float)a, (_Float16)a, 2};
    return raised(t) * a;
}

int main(int argc, char **argv)
{
    return __enzyme_autodiff((void *)f, 1.5 * argc) > 0.0;
}

// check: scalar n=1 real=float
// A float and an integer in one struct by value: the calling convention packs both into one integer register.
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

__attribute__((noinline)) static struct term next(struct term t)
{
    t.factor *= 1.5f;
    t.power++;
    return t;
}

float objective(float a)
{
    struct term t = {a, 2};
    return raised(t) + raised(next(t));
}

// check: array n=6 real=float
// Small structs of numbers and integers by value: the calling convention packs them into integer registers.
struct term {
    float factor;
    int power;
};
struct mixed {
    short k;
    float f, g;
    char c;
};
struct wide {
    double d;
    float f;
    int k;
};

__attribute__((noinline)) static struct term make(float f, int k)
{
    struct term v = {f * f, k};
    return v;
}

__attribute__((noinline)) static float raised(struct term t)
{
    float product = 1.0f;
    for (int i = 0; i < t.power; i++)
        product *= t.factor;
    return product;
}

__attribute__((noinline)) static float kept(struct term t, struct term *out)
{
    *out = t;
    return t.factor * t.power;
}

__attribute__((noinline)) static struct mixed turned(struct mixed m, struct wide w)
{
    struct mixed r = {m.k + 1, m.g * (float)w.d, m.f * w.f * w.k, m.c};
    return r;
}

__attribute__((noinline)) static struct wide widened(struct term t, float s)
{
    struct wide r = {t.factor * s, s * s, t.power + 1};
    return r;
}

__attribute__((noinline)) static struct term chosen(struct term a, struct term b, int which)
{
    return which ? a : b;
}

float objective(const float *x, int n)
{
    struct term terms[6];
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        struct term t = make(x[i], 1 + i % 3);
        sum += raised(t) + kept(t, &terms[i]);
        terms[i].factor *= x[(i + 1) % n];
    }
    for (int i = 0; i < n; i++) {
        struct mixed m = {(short)i, x[i], sum * 0.1f, 2};
        struct wide w = widened(terms[i], x[n - 1 - i]);
        m = turned(m, w);
        sum += m.f * m.k - m.g * m.c + raised(chosen(terms[i], terms[(i + 1) % n], x[i] > 1.0f));
    }
    return sum * 0.05f;
}

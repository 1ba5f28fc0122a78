// check: main
// Shadow tables by __enzyme_virtualreverse: of functions, called by hand and never looked at; of a whole virtual table.
#include <cmath>
#include <cstdio>

extern "C" void *__enzyme_virtualreverse(void *);
template <typename... T> double __enzyme_autodiff(void *, T...);
int enzyme_dup;

struct Spring {
    void **table;
    double stiffness, length;
};

static double energy(Spring *s, double x)
{
    double d = x - s->length;
    return 0.5 * s->stiffness * d * d;
}

static void soften(Spring *s, double by)
{
    s->stiffness *= by;
}

static double total(Spring *s)
{
    ((void (*)(Spring *, double))s->table[1])(s, 0.5);
    return ((double (*)(Spring *, double))s->table[0])(s, 2.0);
}

static int wrong;

static void expect(const char *what, double found, double expected)
{
    if (std::fabs(found - expected) > 1e-9) {
        std::printf("%s: %.12g, expected %.12g\n", what, found, expected);
        wrong = 1;
    }
}

struct Body {
    double mass;
    virtual double inertia(double r) { return mass * r * r; }
};

extern "C" void *_ZTV4Body[];

typedef struct {
    void *tape;
    double result;
} Augmented;

static void by_hand(void **pair)
{
    Spring s = {nullptr, 3.0, 0.5}, bar = {nullptr, 0.0, 0.0};
    auto augmented = (Augmented(*)(Spring *, Spring *, double))pair[0];
    auto reverse = (double (*)(Spring *, Spring *, double, double, void *))pair[1];
    Augmented a = augmented(&s, &bar, 2.0);
    expect("result", a.result, 0.5 * 3.0 * 1.5 * 1.5);
    expect("adjoint of x", reverse(&s, &bar, 2.0, 2.0, a.tape), 2.0 * 3.0 * 1.5);
    expect("stiffness by hand", bar.stiffness, 2.0 * 0.5 * 1.5 * 1.5);
}

int main()
{
    void *table[2] = {(void *)energy, (void *)soften};
    void *shadows[2] = {__enzyme_virtualreverse((void *)energy), __enzyme_virtualreverse((void *)soften)};
    Spring s = {table, 3.0, 0.5}, bar = {shadows, 0.0, 0.0};
    __enzyme_autodiff((void *)total, enzyme_dup, &s, &bar);
    expect("stiffness", bar.stiffness, 0.5 * 0.5 * 1.5 * 1.5);
    expect("length", bar.length, -0.5 * 3.0 * 1.5);
    by_hand((void **)shadows[0]);
    Body body;
    body.mass = 2.0;
    void **whole = (void **)__enzyme_virtualreverse((void *)_ZTV4Body);
    expect("virtual function's table", whole[2] != nullptr, body.inertia(1.0) - 1.0);
    return wrong;
}

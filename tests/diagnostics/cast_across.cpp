extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

struct Body {
    double mass;
    virtual ~Body() {}
};
struct Charged {
    double charge;
    virtual ~Charged() {}
};
struct Ion : Body, Charged {};

__attribute__((noinline)) static double weigh(const Body &body)
{
    const Charged *charged = dynamic_cast<const Charged *>(&body);
    return charged ? body.mass * charged->charge : body.mass;
}

static void f(const Ion *ion, double *weight)
{
    *weight = weigh(*ion);
}

int main()
{
    Ion ion, bar;
    double weight, weight_bar = 1.0;
    __enzyme_autodiff((void *)f, enzyme_dup, &ion, &bar, enzyme_dup, &weight, &weight_bar);
}

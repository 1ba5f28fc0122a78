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
// Elsewhere: struct Ion : Body, Charged {};

__attribute__((noinline)) static double weigh(const Body &body)
{
    const Charged *charged = dynamic_cast<const Charged *>(&body);
    return charged ? body.mass * charged->charge : body.mass;
}

static void f(const Body *body, double *weight)
{
    *weight = weigh(*body);
}

int main()
{
    Body body, bar;
    double weight, weight_bar = 1.0;
    __enzyme_autodiff((void *)f, enzyme_dup, &body, &bar, enzyme_dup, &weight, &weight_bar);
}

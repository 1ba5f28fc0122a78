// check: array n=4
// typeid and dynamic_cast choose the branch; the numbers are ordinary members.
#include <cmath>
#include <typeinfo>

struct Base {
    double value;
    explicit Base(double v) : value(v) {}
    virtual ~Base() {}
};
struct Square : Base {
    using Base::Base;
    double extra = 2.0;
};
struct Root : Base {
    using Base::Base;
};

__attribute__((noinline)) static double apply(const Base &b)
{
    if (const auto *s = dynamic_cast<const Square *>(&b))
        return s->value * s->value * s->extra;
    return typeid(b) == typeid(Root) ? std::sqrt(b.value) : b.value;
}

extern "C" double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        Square s(x[i]);
        Root r(x[i]);
        sum += apply(s) * apply(r) + apply(Base(x[i]));
    }
    return sum;
}

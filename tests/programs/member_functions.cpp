// check: array n=5
// Pointers to member functions, virtual ones and others, in tables and chosen by data.
#include <cmath>

class Material {
public:
    double stiffness;
    explicit Material(double stiffness) : stiffness(stiffness) {}
    virtual ~Material() = default;
    double linear(double e) const { return stiffness * e; }
    double quadratic(double e) const { return stiffness * e * e; }
    virtual double law(double e) const { return std::tanh(stiffness * e); }
};

class Soft : public Material {
public:
    using Material::Material;
    double law(double e) const override { return std::log1p(stiffness * e); }
};

typedef double (Material::*Member)(double) const;

static double __attribute__((noinline)) total(const Material &m, Member member, const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (m.*member)(x[i]);
    return sum;
}

extern "C" double objective(const double *x, int n)
{
    Material hard(x[0]);
    Soft soft(x[1]);
    const Member members[] = {&Material::linear, &Material::law, &Material::quadratic};
    double product = 1.0;
    for (int i = 0; i < 3; i++)
        product *= total(hard, members[i], x, n) + 0.5 * total(soft, members[(n + i) % 3], x, n);
    return product;
}

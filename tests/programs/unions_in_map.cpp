// check: array n=3 range=0.5:2.0 tol=2e-3 identity=1e-6 step=1e-2
// Type-erased properties in a map of unions; nodes erased and made again for the other type; placement new over old.
#include <any>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <cmath>
struct Prop {
    enum Kind : unsigned char { F3, D, P } kind;
    unsigned short tag;
    union { float f[3]; double d; std::shared_ptr<double> p; };
    Prop(float a, float b, float c) : kind(F3), tag(3), f{a, b, c} {}
    explicit Prop(double v) : kind(D), tag(1), d(v) {}
    explicit Prop(std::shared_ptr<double> v) : kind(P), tag(2), p(std::move(v)) {}
    Prop(const Prop &o) : kind(o.kind), tag(o.tag) { take(o); }
    Prop &operator=(const Prop &o)
    {
        if (this == &o) return *this;
        this->~Prop();
        return *new (this) Prop(o);
    }
    ~Prop() { if (kind == P) p.~shared_ptr(); }
    double value() const
    {
        switch (kind) {
        case F3: return std::sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        case D: return d;
        default: return *p;
        }
    }
private:
    void take(const Prop &o)
    {
        if (o.kind == F3) for (int i = 0; i < 3; i++) f[i] = o.f[i];
        else if (o.kind == D) d = o.d;
        else new (&p) std::shared_ptr<double>(o.p);
    }
};
extern "C" double objective(double *x, int n)
{
    std::map<int, Prop> props;
    for (int i = 0; i < n; i++)
        props.insert({i, i % 3 == 0 ? Prop((float)x[i], 2.f, (float)x[0]) : i % 3 == 1 ? Prop(x[i] * x[0]) : Prop(std::make_shared<double>(x[i] * 2))});
    std::swap(props.at(0), props.at(2));
    double s = 0;
    for (auto &[k, v] : props) s += v.value() * (k + 1);
    return s;
}

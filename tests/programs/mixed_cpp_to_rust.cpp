// check: array n=6,1 with=mixed_cpp_to_rust_part.rs
// C++ calls Rust: a wrapper class with a destructor around a box, virtual functions that a Rust loop calls back.
#include <cmath>
#include <utility>

struct model;
extern "C" {
model *model_new(const double *x, unsigned long n);
double model_run(const model *m, double (*potential)(const void *, double), const void *object);
void model_drop(model *m);
}

namespace {
class owned {
    model *handle;

  public:
    owned(const double *x, int n) : handle(model_new(x, static_cast<unsigned long>(n))) {}
    owned(owned &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
    ~owned()
    {
        if (handle)
            model_drop(handle);
    }
    const model *get() const { return handle; }
};

struct potential {
    virtual ~potential() = default;
    virtual double energy(double r) const = 0;
};
struct morse : potential {
    double depth;
    explicit morse(double d) : depth(d) {}
    double energy(double r) const override { return depth * std::pow(1 - std::exp(1 - r), 2); }
};
struct spring : potential {
    double energy(double r) const override { return 0.5 * r * r; }
};
}  // namespace

extern "C" double objective(double *x, int n)
{
    auto call = [](const void *object, double r) { return static_cast<const potential *>(object)->energy(r); };
    owned first(x, n);
    owned m(std::move(first));
    morse a(x[0]);
    spring b;
    return model_run(m.get(), call, static_cast<const potential *>(&a)) +
           model_run(m.get(), call, static_cast<const potential *>(&b));
}

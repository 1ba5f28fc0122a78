// check: array n=5
// A virtual base below two classes that are bases of a third; all behind pointers to the base.
#include <memory>
#include <vector>

struct entity {
    double mass;
    explicit entity(double m) : mass(m) {}
    virtual ~entity() = default;
    virtual double energy() const { return mass; }
};

struct mover : virtual entity {
    double v;
    mover(double m, double speed) : entity(m), v(speed) {}
    double energy() const override { return 0.5 * mass * v * v; }
};

struct charged : virtual entity {
    double q;
    charged(double m, double charge) : entity(m), q(charge) {}
    double energy() const override { return q * mass; }
    virtual double field(double r) const { return q / (r * r); }
};

struct ion : mover, charged {
    double extra;
    ion(double m, double speed, double charge, double e) : entity(m), mover(m, speed), charged(m, charge), extra(e) {}
    double energy() const override { return mover::energy() + charged::energy() * extra; }
    double field(double r) const override { return charged::field(r) + extra; }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<std::unique_ptr<entity>> all;
    all.push_back(std::make_unique<ion>(x[0], x[1], x[2], x[3]));
    all.push_back(std::make_unique<mover>(x[4], x[0]));
    all.push_back(std::make_unique<charged>(x[1], x[2]));
    all.push_back(std::make_unique<entity>(x[3]));
    double sum = 0;
    for (auto &e : all)
        sum += e->energy() * e->mass;
    ion last(x[1], x[2], x[3], x[4]);
    charged &as_charged = last;
    mover *as_mover = &last;
    return sum + as_charged.field(1.5 + x[0] * x[0]) + as_mover->energy();
}

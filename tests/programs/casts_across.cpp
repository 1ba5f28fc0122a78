// check: array n=6
// dynamic_cast from one base of an object to another, one after the other, from and to virtual bases, and those that fail.
#include <cmath>
#include <map>
#include <memory>
#include <typeindex>
#include <vector>

struct Component {
    virtual ~Component() = default;
};
struct Valued {
    virtual double value() const = 0;
    virtual ~Valued() = default;
};
struct Scaled {
    virtual double scale() const { return 1.0; }
    virtual ~Scaled() = default;
};
struct Spring : Component, Valued {
    double k;
    explicit Spring(double t) : k(t) {}
    double value() const override { return 0.5 * k * k; }
};
struct Mass : Component, Valued, Scaled {
    double m;
    explicit Mass(double t) : m(t) {}
    double value() const override { return m; }
    double scale() const override { return std::sqrt(m); }
};
struct Plain : Component {
    double z;
    explicit Plain(double t) : z(t) {}
};

struct Part {
    double a;
    explicit Part(double t) : a(t) {}
    virtual ~Part() = default;
};
struct Moved : virtual Part {
    double b = 0.0;
    Moved() : Part(0.0) {}
};
struct Turned : virtual Part {
    double c = 0.0;
    Turned() : Part(0.0) {}
    virtual double turn() const { return c * a; }
};
struct Body : Moved, Turned {
    double d;
    explicit Body(double t) : Part(t), d(t * t) { b = 2.0 * t; }
    double turn() const override { return c * a + d; }
};

__attribute__((noinline)) static double turned(Part *part)
{
    Turned *turned = dynamic_cast<Turned *>(part);
    Moved *moved = dynamic_cast<Moved *>(part);
    if (!turned || !moved)
        return part->a;
    turned->c = moved->b * moved->b;
    return turned->turn() + (dynamic_cast<Body *>(turned) ? 1.0 : 2.0) * moved->b;
}

extern "C" double objective(double *x, int n)
{
    std::vector<std::unique_ptr<Component>> all;
    all.push_back(std::make_unique<Spring>(x[0]));
    all.push_back(std::make_unique<Mass>(x[1]));
    all.push_back(std::make_unique<Plain>(x[2]));
    all.push_back(std::make_unique<Mass>(x[3]));
    std::map<std::type_index, int> count;
    double sum = 0.0;
    for (auto &one : all) {
        const Component &here = *one;
        count[typeid(here)]++;
        if (auto *valued = dynamic_cast<Valued *>(one.get())) {
            double t = valued->value();
            if (auto *scaled = dynamic_cast<Scaled *>(valued))
                t *= scaled->scale();
            sum += t * t;
        } else {
            sum += dynamic_cast<Plain &>(*one).z;
        }
    }
    Body body(x[4]);
    Part part(x[n - 1]);
    return sum * count[typeid(Mass)] + turned(&body) * turned(&part);
}

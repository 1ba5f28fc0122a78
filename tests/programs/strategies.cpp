// check: array n=5
// A solver that is given its parts as objects behind abstract classes.
#include <cmath>
#include <memory>
#include <vector>

class Law {
public:
    virtual ~Law() = default;
    virtual double slope(double t, double y) const = 0;
};

class Step {
public:
    virtual ~Step() = default;
    virtual double advance(const Law &law, double t, double y, double h) const = 0;
};

class Decay : public Law {
    double rate;

public:
    explicit Decay(double rate) : rate(rate) {}
    double slope(double, double y) const override { return -rate * y; }
};

class Growth : public Law {
    double rate, limit;

public:
    Growth(double rate, double limit) : rate(rate), limit(limit) {}
    double slope(double t, double y) const override { return rate * y * (1.0 - y / limit) + 0.1 * std::sin(t); }
};

class Euler : public Step {
public:
    double advance(const Law &law, double t, double y, double h) const override { return y + h * law.slope(t, y); }
};

class Heun : public Step {
public:
    double advance(const Law &law, double t, double y, double h) const override
    {
        double k = law.slope(t, y);
        return y + 0.5 * h * (k + law.slope(t + h, y + h * k));
    }
};

class Solver {
    std::unique_ptr<Law> law;
    std::unique_ptr<Step> step;

public:
    Solver(std::unique_ptr<Law> law, std::unique_ptr<Step> step) : law(std::move(law)), step(std::move(step)) {}
    double run(double y, double h, int steps) const
    {
        for (int i = 0; i < steps; i++)
            y = step->advance(*law, i * h, y, h);
        return y;
    }
};

static std::unique_ptr<Law> make_law(int kind, const double *x)
{
    if (kind)
        return std::make_unique<Growth>(x[1], x[2]);
    return std::make_unique<Decay>(x[3]);
}

static std::unique_ptr<Step> make_step(int kind)
{
    if (kind)
        return std::make_unique<Heun>();
    return std::make_unique<Euler>();
}

extern "C" double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int kind = 0; kind < 4; kind++) {
        Solver solver(make_law(kind & 1, x), make_step(kind >> 1));
        sum += solver.run(x[0], 0.05 * x[4], n * 3);
    }
    return sum;
}

// check: array n=5
// Factories and virtual copies: objects that only their classes know how to make.
#include <cmath>
#include <memory>
#include <vector>

struct Kernel {
    virtual ~Kernel() = default;
    virtual std::unique_ptr<Kernel> clone() const = 0;
    virtual double at(double d) const = 0;
    virtual void tune(double by) = 0;
};

struct Gaussian : Kernel {
    double width;
    explicit Gaussian(double width) : width(width) {}
    std::unique_ptr<Kernel> clone() const override { return std::make_unique<Gaussian>(*this); }
    double at(double d) const override { return std::exp(-d * d / (2 * width * width)); }
    void tune(double by) override { width *= by; }
};

struct Rational : Kernel {
    double width, power;
    Rational(double width, double power) : width(width), power(power) {}
    std::unique_ptr<Kernel> clone() const override { return std::make_unique<Rational>(*this); }
    double at(double d) const override { return std::pow(1.0 + d * d / width, -power); }
    void tune(double by) override { power += by; }
};

struct SumOf : Kernel {
    std::vector<std::unique_ptr<Kernel>> parts;
    SumOf() = default;
    SumOf(const SumOf &other)
    {
        for (auto &part : other.parts)
            parts.push_back(part->clone());
    }
    std::unique_ptr<Kernel> clone() const override { return std::make_unique<SumOf>(*this); }
    double at(double d) const override
    {
        double sum = 0.0;
        for (auto &part : parts)
            sum += part->at(d);
        return sum;
    }
    void tune(double by) override
    {
        for (auto &part : parts)
            part->tune(by);
    }
};

extern "C" double objective(const double *x, int n)
{
    SumOf both;
    both.parts.push_back(std::make_unique<Gaussian>(x[0]));
    both.parts.push_back(std::make_unique<Rational>(x[1], x[2]));
    std::unique_ptr<Kernel> copy = both.clone();
    copy->tune(x[3]);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += both.at(x[i] - x[j]) * copy->at(x[i] + x[j]);
    return sum;
}

// check: array n=6
// Two families of classes with functions of one type at one place in their tables. One is not to be differentiated at all:
// its function keeps what it is given in a register that only assembly knows. Calls through the other never reach it.
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct Counter {
    virtual double note(double x) = 0;
    virtual ~Counter() = default;
};

struct Register : Counter {
    double last = 0.0;

    double note(double x) override
    {
        __asm__("addsd %1, %0" : "+x"(last) : "x"(x));
        return last;
    }
};

struct Shape {
    virtual double area(double x) = 0;
    virtual ~Shape() = default;
};

struct Square : Shape {
    double area(double x) override { return x * x; }
};

} // namespace

// Seen by other files, so that its name is that of all of them.
struct Disc : Shape {
    double factor = 3.0;
    double area(double x) override { return factor * std::sin(x); }
};

struct Grown : Disc {
    explicit Grown(double by) { factor = by; }
};

namespace {

__attribute__((noinline)) double count(Counter &counter, int n) { return counter.note(n); }

__attribute__((noinline)) double all(const std::vector<std::unique_ptr<Shape>> &shapes, const double *x)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < shapes.size(); i++)
        sum += shapes[i]->area(x[i]);
    return sum;
}

double counted = 0.0;

} // namespace

extern "C" double objective(const double *x, int n)
{
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            shapes.push_back(std::make_unique<Square>());
        else if (i % 3 == 1)
            shapes.push_back(std::make_unique<Disc>());
        else
            shapes.push_back(std::make_unique<Grown>(x[0]));
    }
    std::unique_ptr<Counter> counter = std::make_unique<Register>();
    counted = count(*counter, n);
    return all(shapes, x);
}

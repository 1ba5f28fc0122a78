// check: array n=2 tol=1e-2 identity=1e-4 lenient=1
// Shapes that copy themselves: two numbers in single precision lie where another class has a pointer.
#include <memory>
#include <vector>
struct Shape { virtual ~Shape() {} virtual double value() const = 0; virtual std::unique_ptr<Shape> clone() const = 0; };
struct Line : Shape { float a, b; Line(float a, float b) : a(a), b(b) {} double value() const override { return a * 2 + b; } std::unique_ptr<Shape> clone() const override { return std::make_unique<Line>(*this); } };
struct Scaled : Shape { const float *of; Scaled(const float *f) : of(f) {} double value() const override { return *of * 2; } std::unique_ptr<Shape> clone() const override { return std::make_unique<Scaled>(*this); } };
extern "C" double objective(const double *x, int n)
{
    float y = x[1];
    std::vector<std::unique_ptr<Shape>> fs;
    fs.push_back(std::make_unique<Line>(float(x[0]), y));
    fs.push_back(std::make_unique<Scaled>(&y));
    double s = 0;
    for (auto &f : fs) { auto g = f->clone(); s += g->value(); }
    return s;
}

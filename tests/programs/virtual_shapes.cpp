// check: array n=6,2
// Objects of several classes behind pointers to their base: virtual calls that change and read them, virtual destructors.
#include <memory>
#include <vector>
#include <cmath>
struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual void scale(double s) = 0;
};
struct Circle : Shape {
    double r;
    explicit Circle(double r) : r(r) {}
    double area() const override { return 3.14159 * r * r; }
    void scale(double s) override { r *= s; }
};
struct Rect : Shape {
    double a, b;
    Rect(double a, double b) : a(a), b(b) {}
    double area() const override { return a * b; }
    void scale(double s) override { a *= s; b *= s; }
};
extern "C" double objective(const double *x, int n)
{
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i + 1 < n; i++)
        if (i % 2)
            shapes.push_back(std::make_unique<Circle>(x[i]));
        else
            shapes.push_back(std::make_unique<Rect>(x[i], x[i + 1]));
    double sum = 0.0;
    for (auto &s : shapes) {
        s->scale(x[0]);
        sum += std::sin(s->area());
    }
    return sum;
}

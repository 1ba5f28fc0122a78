// check: array n=6,3 tol=4e-3 identity=2e-5 step=0.3
// shared_ptr to a base: objects of which some have floats and integers where others have doubles.
#include <memory>
#include <vector>

struct Shape {
    virtual ~Shape() = default;
    virtual double area() const = 0;
    virtual void grow(double by) = 0;
};
struct Rect : Shape {
    double a, b;
    Rect(double a, double b) : a(a), b(b) {}
    double area() const override { return a * b; }
    void grow(double by) override { a += by; b *= a; }
};
struct Poly : Shape {
    int n;
    double side;
    Poly(int n, double side) : n(n), side(side) {}
    double area() const override { return n * side * side; }
    void grow(double by) override { n++; side *= by; }
};
struct Round : Shape {
    float r;
    int turns;
    explicit Round(double r) : r((float)r), turns(2) {}
    double area() const override { return 3.0 * r * r * turns; }
    void grow(double by) override { r = (float)(r * by); turns += 1; }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<std::shared_ptr<Shape>> shapes;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            shapes.push_back(std::make_shared<Rect>(x[i], x[0]));
        else if (i % 3 == 1)
            shapes.push_back(std::make_shared<Poly>(i + 2, x[i]));
        else
            shapes.push_back(std::make_shared<Round>(x[i]));
    }
    double total = 0;
    for (auto &s : shapes)
        s->grow(x[1]);
    for (auto s : shapes)
        total += s->area() * (1 + 0.1 * total);
    return total;
}

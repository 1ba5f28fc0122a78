// check: array n=9
// std::variant and std::visit: shapes of different kinds in one vector.
#include <cmath>
#include <variant>
#include <vector>

struct Circle {
    double r;
};
struct Rectangle {
    double a, b;
};
struct Triangle {
    double a, b, c;
};
using Shape = std::variant<Circle, Rectangle, Triangle>;

template <class... F> struct Overloaded : F... {
    using F::operator()...;
};
template <class... F> Overloaded(F...) -> Overloaded<F...>;

static double area(const Shape &shape)
{
    return std::visit(Overloaded{[](const Circle &c) { return M_PI * c.r * c.r; },
                                 [](const Rectangle &r) { return r.a * r.b; },
                                 [](const Triangle &t) {
                                     double s = 0.5 * (t.a + t.b + t.c) + 1.0;
                                     return std::sqrt(s * (s - t.a) * (s - t.b) * (s - t.c));
                                 }},
                      shape);
}

extern "C" double objective(const double *x, int n)
{
    std::vector<Shape> shapes;
    for (int i = 0; i + 2 < n; i += 3) {
        shapes.push_back(Circle{x[i]});
        shapes.push_back(Rectangle{x[i], x[i + 1]});
        shapes.emplace_back(Triangle{x[i], x[i + 1], x[i + 2]});
    }
    double sum = 0.0;
    for (const Shape &shape : shapes)
        sum += area(shape) * area(shape);
    return sum;
}

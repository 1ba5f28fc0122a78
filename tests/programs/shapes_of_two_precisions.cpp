// check: array n=6 identity=1e-6 tol=1e-4
#include <variant>
#include <vector>
struct Circle { double r; double cx; double area() const { return r * r * cx; } };
struct Box { float w; float h; double cx; double area() const { return (double)(w * h) + cx * cx; } };
using Shape = std::variant<Circle, Box>;
extern "C" double objective(double *x, int n)
{
    std::vector<Shape> shapes;
    for (int i = 0; i < n; i++)
        if (i % 2) shapes.push_back(Circle{x[i], 1.0});
        else shapes.push_back(Box{(float)x[i], 2.0f, x[i]});
    double s = 0;
    for (auto &sh : shapes) s += std::visit([](auto &v) { return v.area(); }, sh);
    return s;
}

// check: array n=7,1
// Pointers that a growing vector moves as integers.
#include <cmath>
#include <memory>
#include <vector>

struct Rectangle {
    double a, b;
    Rectangle(double a, double b) : a(a), b(b) {}
    double area() const { return a * b; }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<std::unique_ptr<Rectangle>> rectangles;
    for (int i = 0; i < n; i++)
        rectangles.push_back(std::make_unique<Rectangle>(x[i], x[(i + 1) % n]));
    std::swap(rectangles.front(), rectangles.back());
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * std::sin(rectangles[i]->area());
    return sum;
}

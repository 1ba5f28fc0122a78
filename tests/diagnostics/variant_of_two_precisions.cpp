#include <variant>
#include <vector>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);

struct Circle {
    double radius;
    double area() const { return 3.14 * radius * radius; }
};

struct Box {
    float width, height;
    double area() const { return width * height; }
};

double objective(const double *x, int n)
{
    std::vector<std::variant<Circle, Box>> shapes;
    for (int i = 0; i < n; i++)
        if (i % 2)
            shapes.push_back(Circle{x[i]});
        else
            shapes.push_back(Box{(float)x[i], 2.0f});
    double sum = 0.0;
    for (const auto &shape : shapes)
        sum += std::visit([](const auto &one) { return one.area(); }, shape);
    return sum;
}

int main()
{
    double x[4] = {1, 2, 3, 4}, g[4] = {0};
    __enzyme_autodiff((void *)objective, enzyme_dup, x, g, enzyme_const, 4);
    return g[0] > 0;
}

// check: array n=6 with=mixed_spans_by_value_c.c,mixed_spans_by_value_rust.rs,mixed_spans_by_value_fortran.f90
// C++ pipeline of stages in other languages, each a C function pointer in a table, over structs by value.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>
struct Vec2 { double x, y; };
struct Span { const double *data; std::size_t size; };
extern "C" {
Vec2 rotate_c(Vec2 v, double angle);
Vec2 centroid_rust(Span s);
void smooth_fortran(double *u, int n, double w);
double fold_rust(Span s, double (*f)(double, double), double init);
}
struct Stage { virtual ~Stage() = default; virtual void run(std::vector<double> &v) const = 0; };
struct Smooth : Stage { double w; explicit Smooth(double w) : w(w) {} void run(std::vector<double> &v) const override { smooth_fortran(v.data(), (int)v.size(), w); } };
struct Rotate : Stage { double angle; explicit Rotate(double a) : angle(a) {} void run(std::vector<double> &v) const override { for (std::size_t i = 0; i + 1 < v.size(); i += 2) { Vec2 r = rotate_c({v[i], v[i + 1]}, angle); v[i] = r.x; v[i + 1] = r.y; } } };
extern "C" double objective(double *x, int n)
{
    std::map<std::string, std::function<std::unique_ptr<Stage>(double)>> make{{"smooth", [](double w) { return std::make_unique<Smooth>(w); }}, {"rotate", [](double a) { return std::make_unique<Rotate>(a); }}};
    std::vector<std::unique_ptr<Stage>> stages;
    stages.push_back(make.at("smooth")(0.2 * x[0]));
    stages.push_back(make.at("rotate")(x[1]));
    stages.push_back(make.at("smooth")(0.1));
    std::vector<double> v(x, x + n);
    for (auto &s : stages) s->run(v);
    Vec2 c = centroid_rust({v.data(), v.size()});
    return c.x * c.y + fold_rust({v.data(), v.size()}, [](double a, double b) { return a * 0.5 + b * b; }, x[2]);
}

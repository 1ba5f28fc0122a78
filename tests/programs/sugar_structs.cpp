// check: main
// Structs of numbers by value as Active: in registers, in memory, of floats, alone and among numbers.
#include <array>
#include <cmath>
#include <cstdio>
#include <enzyme/enzyme>
static int bad;
static void near(const char *w, double a, double b, double tol = 1e-6)
{
    if (!(std::fabs(a - b) <= tol * (1 + std::fabs(b)))) {
        std::printf("FAIL %s: %.10g expected %.10g\n", w, a, b);
        bad++;
    }
}
struct P2 {
    double x, y;
};
struct F3 {
    float a, b, c;
};
struct Big {
    double v[5];
    P2 p;
};
struct Mixed {
    double x;
    int n;
    float f;
};
static double f1(P2 p)
{
    return p.x * std::sin(p.y);
}
static double f2(double s, P2 p, F3 q, float t)
{
    return s * p.x + p.y * q.a * q.b + q.c * t * s;
}
static double f3(Big b, double w)
{
    double s = 0;
    for (double v : b.v)
        s = s * w + v;
    return s * b.p.x - b.p.y;
}
static float f4(F3 q)
{
    return q.a * q.b - q.c;
}
static double f5(Mixed m)
{
    double s = 0;
    for (int i = 0; i < m.n; i++)
        s += m.x * i * m.f;
    return s;
}
struct Model {
    double k;
    double value(double x) const { return k * x * x; }
};
static double f6(std::array<double, 3> a, const P2 &c)
{
    return a[0] * a[1] * c.x + a[2] * c.y;
}
int main()
{
    auto a = std::get<0>(std::get<0>(enzyme::autodiff<enzyme::Reverse>(f1, enzyme::Active(P2{2, 0.3}))));
    near("x", a.x, std::sin(0.3));
    near("y", a.y, 2 * std::cos(0.3));
    auto [adj, v] = enzyme::autodiff<enzyme::ReverseWithPrimal>(f2, 1.5, enzyme::Active(P2{2, 3}),
                                                                enzyme::Active(F3{1, 2, 3}), 0.5f);
    auto [s, p, q, t] = adj;
    near("v", v, 1.5 * 2 + 3 * 2 + 3 * 0.5 * 1.5);
    near("s", s, 2 + 1.5);
    near("p.x", p.x, 1.5);
    near("p.y", p.y, 2);
    near("q.a", q.a, 6);
    near("q.b", q.b, 3);
    near("q.c", q.c, 0.75);
    near("t", t, 4.5);
    auto [b, w] = std::get<0>(enzyme::autodiff<enzyme::Reverse>(f3, enzyme::Active(Big{{1, 2, 3, 4, 5}, {2, 1}}), 0.5));
    near("b0", b.v[0], 2 * std::pow(0.5, 4));
    near("b4", b.v[4], 2);
    near("bpy", b.p.y, -1);
    near("w", w, 2 * (4 * 0.125 + 2 * 3 * 0.25 + 3 * 2 * 0.5 + 4));
    auto c = std::get<0>(std::get<0>(enzyme::autodiff<enzyme::Reverse>(f4, enzyme::Active(F3{1, 2, 3}))));
    near("f", c.a, 2);
    near("f", c.c, -1);
    auto m = std::get<0>(std::get<0>(enzyme::autodiff<enzyme::Reverse>(f5, enzyme::Active(Mixed{2, 4, 0.5f}))));
    near("m.x", m.x, 3);
    near("m.f", m.f, 12);
    P2 k{2, 3}, kb{0, 0};
    auto d = std::get<0>(std::get<0>(enzyme::autodiff<enzyme::Reverse>(
        f6, enzyme::Active(std::array<double, 3>{1, 2, 3}), enzyme::Duplicated<const P2 &>(k, kb))));
    near("a0", d[0], 4);
    near("a2", d[2], 3);
    near("kb", kb.y, 3);
    const Model model{3};
    auto [slope] = std::get<0>(
        enzyme::autodiff<enzyme::Reverse>(&Model::value, enzyme::Const<const Model *>(&model), enzyme::Active(2.0)));
    near("slope", slope, 12);
    return bad != 0;
}

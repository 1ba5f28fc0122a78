// check: main flags=-Itests/support
// Rules of C++ functions: in namespaces, static members, instances of templates, with references, structs by value, and
// results of every size.
#include "expect.h"

#include <vector>

template <class... T> double __enzyme_autodiff(void *, T...);
template <class... T> double __enzyme_fwddiff(void *, T...);
extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_noret;

namespace algebra {

struct Point {
    double x, y;
};
struct Box {
    Point low, high;
    int tag;
};

// A struct of two registers by value and as result.
static Point turned(Point p, double angle)
{
    return {p.x * angle, p.y - angle};
}
static Point augmented_turned(Point p, double angle)
{
    return turned(p, angle);
}
struct TurnedBars {
    Point p;
    double angle;
};
static TurnedBars reverse_turned(Point p, double angle, Point seed)
{
    return {{10 * angle * seed.x, 20 * seed.y}, p.x * seed.x - seed.y};
}

// A struct in memory by value and as result.
static Box grown(Box b, double by)
{
    b.low.x -= by;
    b.high.x *= by;
    b.tag++;
    return b;
}
struct GrownTape {
    double *tape;
    Box result;
};
static GrownTape augmented_grown(Box b, double by)
{
    return {new double(by), grown(b, by)};
}
struct GrownBars {
    Box b;
    double by;
};
static GrownBars reverse_grown(Box b, double by, Box seed, double *tape)
{
    (void)by;
    GrownBars bars{seed, 3 * b.high.x * seed.high.x - seed.low.x};
    bars.b.high.x = 7 * *tape * seed.high.x;
    delete tape;
    return bars;
}
static Box tangent_grown(Box b, Box b_dot, double by, double by_dot)
{
    Box r = b_dot;
    r.low.x -= by_dot;
    r.high.x = 7 * (b_dot.high.x * by + by_dot * b.high.x);
    return r;
}

void *__enzyme_register_gradient_turned[] = {(void *)turned, (void *)augmented_turned, (void *)reverse_turned};
void *__enzyme_register_gradient_grown[] = {(void *)grown, (void *)augmented_grown, (void *)reverse_grown};
void *__enzyme_register_derivative_grown[] = {(void *)grown, (void *)tangent_grown};

struct Solver {
    static void solve(const double &a, const double &b, double &x)
    {
        x = b / a;
    }
    static void augmented(const double &a, const double &, const double &b, const double &, double &x, double &)
    {
        x = b / a;
    }
    static void reverse(const double &a, double &a_bar, const double &, double &b_bar, const double &x, double &x_bar)
    {
        b_bar += 100 * x_bar / a;
        a_bar -= 100 * x * x_bar / a;
        x_bar = 0;
    }
    static void *__enzyme_register_gradient_solve[3];
};
void *Solver::__enzyme_register_gradient_solve[3] = {(void *)Solver::solve, (void *)Solver::augmented,
                                                     (void *)Solver::reverse};

} // namespace algebra

template <class T> static T sum(const std::vector<T> &v)
{
    T total = 0;
    for (T e : v)
        total += e;
    return total;
}
template <class T> static T tangent_sum(const std::vector<T> &v, const std::vector<T> &v_dot)
{
    return 10 * sum(v_dot) + 0 * sum(v);
}
static void *__enzyme_register_derivative_sum[] __attribute__((used)) = {(void *)sum<double>,
                                                                        (void *)tangent_sum<double>};

static double of_turned(double x, double y, double angle)
{
    algebra::Point p = algebra::turned({x, y}, angle);
    return p.x + 2 * p.y;
}
static double of_grown(const double *v)
{
    algebra::Box b = algebra::grown({{v[0], v[1]}, {v[2], v[3]}, 5}, v[4]);
    return b.low.x + b.low.y + 2 * b.high.x + b.high.y + b.tag;
}
static double of_solve(const double *v)
{
    double x;
    algebra::Solver::solve(v[0], v[1], x);
    return x;
}
static double of_sum(const double *v, int n)
{
    std::vector<double> all(v, v + n);
    return sum(all) * v[0];
}

struct Three {
    double a, b, c;
};
template <class... T> Three __enzyme_autodiff_three(void *, T...);

int main()
{
    Three t = __enzyme_autodiff_three((void *)of_turned, 2.0, 3.0, 5.0);
    EXPECT(t.a, 50);
    EXPECT(t.b, 40);
    EXPECT(t.c, 2 - 2);
    double v[5] = {1, 2, 3, 4, 5}, bar[5] = {0}, dot[5] = {0, 0, 1, 0, 0};
    __enzyme_autodiff((void *)of_grown, v, bar);
    EXPECT(bar[0], 1);
    EXPECT(bar[1], 1);
    EXPECT(bar[2], 70);
    EXPECT(bar[3], 1);
    EXPECT(bar[4], 3 * 3 * 2 - 1);
    EXPECT(__enzyme_fwddiff((void *)of_grown, v, dot), 70);
    double w[2] = {2, 3}, w_bar[2] = {0};
    __enzyme_autodiff((void *)of_solve, w, w_bar);
    EXPECT(w_bar[0], -75);
    EXPECT(w_bar[1], 50);
    double s_dot[5] = {1, 1, 0, 0, 0};
    EXPECT(__enzyme_fwddiff((void *)of_sum, v, s_dot, 5), 20 * 1 + 15);
    return expect_failures != 0;
}

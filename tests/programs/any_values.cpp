// check: array n=5
// Values of several types in std::any: one storage that holds a number, an integer or a pointer.
#include <any>
#include <vector>
#include <cmath>
struct pair2 { double a, b; };
extern "C" double objective(const double *x, int n)
{
    std::vector<std::any> v;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) v.emplace_back(x[i]);
        else if (i % 3 == 1) v.emplace_back(pair2{x[i], x[i] * x[0]});
        else v.emplace_back((int)i);
    }
    double s = 0;
    for (auto &a : v) {
        if (auto *d = std::any_cast<double>(&a)) s += *d * *d;
        else if (a.type() == typeid(pair2)) { auto p = std::any_cast<pair2>(a); s += p.a * std::sin(p.b); }
        else s += std::any_cast<int>(a);
    }
    return s;
}

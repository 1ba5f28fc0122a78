// check: main
// Objects of a derived class, which has a number in the padding of its base, sorted by functions of the library.
#include <algorithm>
#include <cmath>
#include <cstdio>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

struct Base {
    double x = 0;
    char mark = 0;
    double squared() const { return x * x; }
};
struct Derived : Base {
    float weight = 0;
};

static double sorted(Derived *all, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += all[i].squared() * i;
    std::sort(all, all + n, [](const Derived &a, const Derived &b) { return a.x < b.x; });
    return sum + all[0].squared();
}

int main()
{
    static Derived all[4], bar[4];  // whose padding is zero, too
    for (int i = 0; i < 4; i++) {
        all[i].x = 0.7 + (i * 3) % 4;
        all[i].weight = 1.5f - i;
        bar[i].weight = 10.0f * (i + 1);
    }
    __enzyme_autodiff((void *)sorted, enzyme_dup, all, bar, enzyme_const, 4);
    for (int i = 0; i < 4; i++) {
        const int place = (i * 3) % 4;
        const double x = 0.7 + place, expected = 2 * x * (i + (place == 0));
        if (std::fabs(bar[i].x - expected) > 1e-12 || bar[i].weight != 10.0f * (place + 1)) {
            std::printf("FAIL: %d: %g instead of %g, %g\n", i, bar[i].x, expected, bar[i].weight);
            return 1;
        }
    }
    return 0;
}

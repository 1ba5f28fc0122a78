// check: array n=5,1,9 mutates=1 refused=E0204@-O2-fno-inline
// Containers that static variables keep from call to call, chosen in place of the argument.
#include <map>
#include <memory>
#include <vector>

namespace {
double alternate(const double *x, int n)
{
    static std::vector<double> work;
    work.resize(n);
    for (int i = 0; i < n; i++)
        work[i] = x[i] * x[(i + 1) % n];
    double sum = 0.0;
    const double *from = x;
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < n; i++)
            sum += from[i] * from[i] * (k + 1);
        from = from == x ? work.data() : x;
    }
    return sum;
}

std::map<int, std::vector<double>> rows;

const double *row(const double *x, int n, int k)
{
    if (k == 0)
        return x;
    auto &r = rows[k];
    r.assign(n, 0.0);
    for (int i = 0; i < n; i++)
        r[i] = x[i] * x[(i + k) % n];
    return r.data();
}

double memo(const double *x, int n)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *p = row(x, n, k);
        for (int i = 0; i < n; i++)
            sum += p[i] * p[i];
    }
    return sum;
}

double in_turn(double *x, int n)
{
    static std::unique_ptr<double[]> work;
    static int size;
    if (size < n) {
        work.reset(new double[n]);
        size = n;
    }
    double *in = x, *out = work.get();
    double sum = 0.0;
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n; i++)
            out[i] = 0.5 * (in[i] * in[i] + in[(i + 1) % n]);
        std::swap(in, out);
    }
    for (int i = 0; i < n; i++)
        sum += in[i];
    return sum;
}
}

extern "C" double objective(double *x, int n)
{
    const double sum = alternate(x, n) + memo(x, n);
    return sum + in_turn(x, n);
}

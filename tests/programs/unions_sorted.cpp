// check: array n=6 range=0.5:2.0 tol=2e-3 identity=1e-6 step=1e-2 stopped=-O2-fno-inline
// Readings (a pair of floats or a double) with a key, sorted by std::sort, in a vector and a deque, and merged.
#include <algorithm>
#include <deque>
#include <vector>
struct Reading {
    int key; bool pair;
    union { double d; struct { float lo, hi; } f; };
    static Reading of(int k, double v) { Reading r; r.key = k; r.pair = false; r.d = v; return r; }
    static Reading of(int k, float a, float b) { Reading r; r.key = k; r.pair = true; r.f = {a, b}; return r; }
    double value() const { return pair ? f.lo * f.hi : d * d; }
};
extern "C" double objective(double *x, int n)
{
    std::vector<Reading> a;
    std::deque<Reading> b;
    for (int i = 0; i < n; i++) {
        a.push_back(i % 2 ? Reading::of((i * 5) % 7, x[i] * x[0]) : Reading::of((i * 5) % 7, (float)x[i], (float)x[0]));
        b.push_front(a.back());
    }
    auto less = [](const Reading &p, const Reading &q) { return p.key < q.key; };
    std::sort(a.begin(), a.end(), less);
    std::sort(b.begin(), b.end(), less);
    std::vector<Reading> both(a.size() + b.size());
    std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin(), less);
    double s = 0;
    for (std::size_t i = 0; i < both.size(); i++) s += both[i].value() * (1 + i);
    a.erase(a.begin() + 1, a.begin() + 3);
    for (auto &r : a) s += r.value();
    return s;
}

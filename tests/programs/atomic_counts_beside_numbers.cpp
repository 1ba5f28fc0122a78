// check: array n=6,3
// An atomic counter beside an atomic number.
#include <atomic>
#include <memory>
#include <vector>
struct Sum {
    std::atomic<int> count{0};
    std::atomic<double> total{0};
    std::atomic<long> words{0};
    void add(double v) {
        count.fetch_add(1);
        words++;
        double old = total.load();
        total.store(old + v * v);
    }
};
extern "C" double objective(const double *x, int n) {
    Sum one;
    auto two = std::make_unique<Sum>();
    for (int i = 0; i < n; i++) { one.add(x[i]); if (i % 2) two->add(x[i] * x[0]); }
    return one.total.load() / one.count.load() + two->total.load() * two->words.load();
}

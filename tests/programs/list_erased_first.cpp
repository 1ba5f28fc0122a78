// check: array n=6
// Elements of a list moved to its front, changed and erased there: how many there are is counted where other nodes keep
// their number.
#include <cmath>
#include <list>
extern "C" double objective(const double *x, int n)
{
    double c = 0;
    for (int i = 1; i < n; i++) {
        std::list<double> list{x[1], x[i]};
        for (int k = 0; k < 3; k++) list.push_front(x[k] + 0.1 * k);
        list.splice(list.begin(), list, std::prev(list.end()));
        { auto at = list.begin(); *at = x[i]; at = list.erase(at); list.insert(at, 0.2); }
        for (double &e : list) e = std::sin(e) + x[0];
        double decay = 1;
        for (double v : list) { decay *= 0.6; c += decay * v; }
    }
    return c;
}

// check: array n=6
// Node-based and chunked containers: std::list and std::deque.
#include <deque>
#include <list>

extern "C" double objective(const double *x, int n)
{
    std::list<double> chain;
    std::deque<double> window;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        chain.push_front(x[i] * x[i]);
        window.push_back(x[i]);
        if (window.size() > 3)
            window.pop_front();
        for (double v : window)
            sum += v * chain.front();
    }
    for (double v : chain)
        sum += v * sum * 0.01;
    return sum;
}

// check: array n=12
// A moving average over a std::deque that grows at one end and shrinks at the other.
#include <cmath>
#include <deque>

extern "C" double objective(const double *x, int n)
{
    std::deque<double> window;
    double sum = 0.0, loss = 0.0;
    for (int i = 0; i < n; i++) {
        window.push_back(x[i] * x[i]);
        sum += window.back();
        if (window.size() > 4) {
            sum -= window.front();
            window.pop_front();
        }
        loss += std::log(1.0 + sum / static_cast<double>(window.size()));
    }
    return loss;
}

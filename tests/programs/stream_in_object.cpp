// check: array n=4 flags=-std=c++20
// A log of text as a member of an object with numbers: the library makes the stream, and its shadow has no table.
#include <cmath>
#include <iomanip>
#include <memory>
#include <sstream>

struct Filter {
    double state[2];
    int missed = 0;
    double cost = 0;
    std::ostringstream log;

    void step(double z)
    {
        state[1] = 0.9 * state[0] + 0.1 * z;
        state[0] = state[1] * std::cos(z);
        cost += std::sin(state[0]) + state[1];
        if (z < 0)
            missed++;
        log << std::setw(3) << missed << ';';
    }
};

extern "C" double objective(const double *x, int n)
{
    auto filter = std::make_unique<Filter>();
    filter->state[0] = x[0];
    for (int i = 1; i < n; i++)
        filter->step(x[i] - 0.1);
    Filter local;
    local.state[0] = x[1];
    local.step(x[0]);
    return filter->cost * filter->log.str().size() + local.cost;
}

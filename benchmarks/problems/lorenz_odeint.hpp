// The Lorenz system by a stepper of Boost.Odeint: what euler.c and rk4.c do, written with a library of templates.
#pragma once
#include <boost/numeric/odeint.hpp>
#include <vector>

using State = std::vector<double>;

struct Lorenz {
    const double *par;

    void operator()(const State &y, State &rate, double) const
    {
        rate[0] = par[0] * (y[1] - y[0]);
        rate[1] = y[0] * (par[1] - y[2]) - y[1];
        rate[2] = y[0] * y[1] - par[2] * y[2];
    }
};

template <class Stepper>
double half_square_at_end(int steps, double h, const double *start, const double *par)
{
    State y(start, start + 3);
    boost::numeric::odeint::integrate_n_steps(Stepper(), Lorenz{par}, y, 0.0, h, steps);
    return 0.5 * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
}

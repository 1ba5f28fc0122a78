// rk4.c in C++.
#include "lorenz_odeint.hpp"

extern "C" double OBJECTIVE_NAME(int steps, double h, const double *start, const double *par)
{
    return half_square_at_end<boost::numeric::odeint::runge_kutta4<State>>(steps, h, start, par);
}

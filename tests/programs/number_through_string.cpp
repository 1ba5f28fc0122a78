// check: array n=4 refused=E0113
// A number whose bytes become a string that optimised code takes to pieces.
#include <cstring>
#include <string>
extern "C" double objective(double *x, int n)
{
    const double t = x[0] * x[0];
    std::string wire;
    wire.append(reinterpret_cast<const char *>(&t), 8);
    double u;
    std::memcpy(&u, wire.data(), 8);
    return u * n;
}

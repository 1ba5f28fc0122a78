// check: array n=4 refused=E0113
// The bytes of numbers are given to a string, and numbers are read from one: refused, at whatever level.
#include <cstring>
#include <string>
extern "C" double objective(double *x, int n)
{
    const std::string wire(reinterpret_cast<const char *>(x), 8 * static_cast<std::size_t>(n));
    double u, s = 0;
    for (int i = 0; i < n; i++) {
        std::memcpy(&u, wire.c_str() + 8 * i, 8);
        s += u * u;
    }
    return s;
}

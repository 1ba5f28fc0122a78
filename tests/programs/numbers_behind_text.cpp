// check: array n=4 range=0.3:1.2 stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// Numbers behind two characters, in an array of characters that grows and is copied.
#include <cstring>
#include <vector>
extern "C" double objective(const double *x, int n)
{
    std::vector<char> out{1, 2};
    for (int i = 0; i < n; i++) { double v = x[i] * x[i]; out.insert(out.end(), reinterpret_cast<const char *>(&v), reinterpret_cast<const char *>(&v) + sizeof v); }
    std::vector<char> b = out;
    double p = 1;
    for (int i = 0; i < n; i++) { double v; std::memcpy(&v, b.data() + 2 + 8 * i, 8); p *= v; }
    return p;
}

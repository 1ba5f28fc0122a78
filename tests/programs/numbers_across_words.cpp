// check: array n=3 range=0.3:1.2 stopped=-O2-fno-inline
// A number that lies across two words of an array of characters that is copied.
#include <cstring>
#include <vector>
extern "C" double objective(const double *x, int n)
{
    std::vector<char> out(12), b;
    double a = x[0] * x[1];
    std::memcpy(out.data() + 4, &a, 8);
    b = out;
    std::memcpy(&a, b.data() + 4, 8);
    return a * x[2];
}

// check: array n=2
// A complex number that a stream gives has no derivative; one that it leaves out stays as it was.
#include <complex>
#include <sstream>

template <class T> static T twice(const double *x)
{
    std::complex<T> z(x[0], x[1]), w(x[1], x[0] * x[1]);
    std::istringstream in("(1,2)");
    in >> z >> w;
    return real(z * z) * (T)x[0] + imag(w * w) + imag(z);
}

extern "C" double objective(const double *x, int n)
{
    return twice<double>(x) + (double)twice<long double>(x) * x[1];
}

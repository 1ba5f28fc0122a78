// check: array n=6 range=0.3:0.9
// std::complex in three precisions: operators, elementary functions, polar form, norm.
#include <complex>

template <class T> static double chain(const double *x)
{
    using C = std::complex<T>;
    C z{T(x[0]), T(x[1])}, c{T(x[2]), T(-x[3])}, w = std::polar(T(x[4]), T(x[5]));
    for (int i = 0; i < 2; i++) {
        w = std::exp(-w) / (z + T(2)) + std::sin(c) * std::sqrt(w) - std::log(z + w);
        z = std::pow(z, T(0.5)) + std::tanh(w) + std::atan(c) * std::conj(w);
        c = T(0.1) * std::pow(c, z) / w + std::asinh(z) * std::proj(c);
    }
    return double(std::norm(w) + std::abs(z) * std::arg(c) + w.real() - z.imag());
}

extern "C" double objective(const double *x, int)
{
    return chain<double>(x) + chain<long double>(x);
}

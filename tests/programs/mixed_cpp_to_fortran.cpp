// check: array n=6,3 with=mixed_cpp_to_fortran_part.f90
// C++ calls Fortran: a class around arrays that Fortran's subroutines fill, with a template of the layout.
#include <array>
#include <cmath>
#include <vector>

extern "C" {
void tridiagonal(const double *below, const double *diagonal, const double *above, double *x, int n);
double weighted(const double *x, const double *w, int n);
}

template <int Bands>
class banded {
    std::array<std::vector<double>, Bands> bands;

  public:
    banded(const double *x, int n)
    {
        for (int band = 0; band < Bands; band++)
            for (int i = 0; i < n; i++)
                bands[band].push_back(band == 1 ? 4 + x[i] : x[(i + band) % n] * 0.5);
    }
    std::vector<double> solved(std::vector<double> b) const
    {
        tridiagonal(bands[0].data(), bands[1].data(), bands[2].data(), b.data(), static_cast<int>(b.size()));
        return b;
    }
};

extern "C" double objective(double *x, int n)
{
    std::vector<double> right;
    for (int i = 0; i < n; i++)
        right.push_back(std::sin(x[i]));
    auto solution = banded<3>(x, n).solved(right);
    return weighted(solution.data(), right.data(), n);
}

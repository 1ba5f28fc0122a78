// check: array n=6,1 range=0.2:3 tol=1e-5 identity=1e-6 flags=-isystem/usr/include/eigen3,-g1 refused=E0113@-O2-fno-inline
// Logarithms of whole arrays: packets whose bits are taken apart into fraction and exponent.
#include <Eigen/Dense>
extern "C" double objective(const double *x, int n)
{
    Eigen::Map<const Eigen::ArrayXd> v(x, n);
    Eigen::ArrayXd squares = v * v + 0.5;
    Eigen::ArrayXf singles = squares.cast<float>();
    double sum = (v.log() * squares.log()).sum() + 0.1 * squares.log().exp().sum() + squares.pow(0.3).sum();
    return sum + 0.01 * double(singles.log().sum());
}

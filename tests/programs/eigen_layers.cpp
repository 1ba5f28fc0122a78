// check: main level=-O2 flags=-isystem/usr/include/eigen3,-g1
// A neural network of two layers: products of matrices too large to be multiplied coefficient by coefficient, which
// Eigen packs into panels.
#include "eigen_check.h"
#include <Eigen/Core>

using namespace Eigen;

static double loss(const double *x, int)
{
    Map<const MatrixXd> w1(x, 20, 16), w2(x + 320, 3, 20), in(x + 380, 16, 12);
    Map<const VectorXd> b1(x + 572, 20), b2(x + 592, 3);
    MatrixXd h = ((0.1 * w1 * in).colwise() + b1).array().tanh();
    MatrixXd o = (w2 * h).colwise() + b2;
    ArrayXXd e = (o.array().rowwise() - o.array().colwise().maxCoeff()).exp();
    return -(e.row(1) / e.colwise().sum()).log().sum();
}

int main()
{
    check<loss>("loss", 595);
    return expect_failures;
}

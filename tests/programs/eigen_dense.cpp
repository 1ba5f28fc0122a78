// check: main flags=-isystem/usr/include/eigen3 refused=E0113@-O2-fno-inline
// Matrices of dynamic size: expressions, blocks, reductions, in double and single precision.
#include "eigen_check.h"
#include <Eigen/Core>

using namespace Eigen;

static double expressions(const double *x, int n)
{
    int rows = n / 5;
    MatrixXd a = Map<const MatrixXd>(x, rows, 5);
    VectorXd v = a.col(0) + 2 * a.col(1).cwiseProduct(a.col(2)) + a * a.row(1).transpose();
    a.block(1, 1, 2, 2) += MatrixXd::Constant(2, 2, 0.5) * v(0);
    return v.squaredNorm() + a.sum() + (a.array().exp() * a.array()).mean() + a.row(0).maxCoeff() +
           a.diagonal().prod() + a.bottomRows(2).lpNorm<Infinity>();
}

static double single(const double *x, int n)
{
    VectorXf v = Map<const VectorXd>(x, n).cast<float>();
    Map<const Matrix4f> m(v.data());
    Vector4f r = m * v.tail<4>() - m.transpose() * v.head<4>();
    return double(r.dot(v.segment<4>(2)) + v.array().abs().sqrt().sum());
}

int main()
{
    check<expressions, BOTH_MODES>("expressions", 30);
    // In single precision differences show less.
    check<single>("single", 20, 1e-2);
    return expect_failures;
}

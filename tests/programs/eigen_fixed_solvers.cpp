// check: main level=-O2 flags=-isystem/usr/include/eigen3,-g1
// Decompositions of matrices of fixed size: LDLT, LU with full pivoting, QR with and without pivots, eigenvalues.
#include "eigen_check.h"
#include <Eigen/Dense>

using namespace Eigen;

static double systems(const double *x, int)
{
    Matrix4d a = Map<const Matrix4d>(x) + 3 * Matrix4d::Identity(), s = a * a.transpose();
    Vector4d b = Map<const Vector4d>(x + 16);
    FullPivLU<Matrix4d> lu(a);
    SelfAdjointEigenSolver<Matrix3d> eigen(s.topLeftCorner<3, 3>());
    return lu.solve(b).sum() + s.ldlt().solve(b).sum() + eigen.eigenvalues()(0) * eigen.eigenvalues()(2);
}

static double least_squares(const double *x, int)
{
    Matrix<double, 7, 3> a = Map<const Matrix<double, 7, 3>>(x);
    Matrix<double, 7, 1> b = Map<const Matrix<double, 7, 1>>(x + 21);
    Vector3d s = a.householderQr().solve(b), p = a.colPivHouseholderQr().solve(b);
    return s.squaredNorm() + (a * p - b).squaredNorm();
}

int main()
{
    check<systems>("linear systems", 20);
    check<least_squares>("least squares", 28);
    return expect_failures;
}

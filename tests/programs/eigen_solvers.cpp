// check: main level=-O2 flags=-isystem/usr/include/eigen3,-g1
// The likelihood of a Gaussian process by LLT, and a linear system by LU with pivots.
#include "eigen_check.h"
#include <Eigen/Cholesky>
#include <Eigen/LU>

using namespace Eigen;

static double gaussian_process(const double *x, int n)
{
    int m = (n - 2) / 2;
    Map<const VectorXd> t(x, m), y(x + m, m);
    MatrixXd k(m, m);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            k(i, j) = std::exp(-(t(i) - t(j)) * (t(i) - t(j)) / (2 * x[n - 2] * x[n - 2])) + (i == j) * x[n - 1];
    LLT<MatrixXd> llt(k);
    MatrixXd l = llt.matrixL();
    return 0.5 * y.dot(llt.solve(y)) + l.diagonal().array().log().sum();
}

static double system(const double *x, int n)
{
    int m = 4;
    MatrixXd a = Map<const MatrixXd>(x, m, m) + 3 * MatrixXd::Identity(m, m);
    PartialPivLU<MatrixXd> lu(a);
    VectorXd solved = lu.solve(Map<const VectorXd>(x + n - m, m));
    return solved.squaredNorm() + std::log(lu.determinant());
}

int main()
{
    check<gaussian_process>("Gaussian process", 14);
    check<system>("linear system", 20);
    return expect_failures;
}

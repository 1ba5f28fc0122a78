// check: array n=7 flags=-isystem,/usr/include/eigen3
// Eigen's LLT and LDLT of a matrix of fixed size: log-likelihood of a normal distribution.
#include <Eigen/Cholesky>
#include <Eigen/Dense>

using Matrix = Eigen::Matrix4d;
using Vector = Eigen::Vector4d;

extern "C" double objective(const double *x, int n)
{
    Matrix k;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            k(i, j) = x[4] * std::exp(-0.5 * (i - j) * (i - j) / (x[5] * x[5])) + (i == j ? x[6] : 0.0);
    Vector y = Eigen::Map<const Vector>(x);
    Eigen::LLT<Matrix> llt(k);
    Vector alpha = llt.solve(y);
    double logdet = 0.0;
    for (int i = 0; i < 4; i++)
        logdet += std::log(llt.matrixLLT()(i, i));
    Eigen::LDLT<Matrix> ldlt(k + Matrix::Identity());
    return 0.5 * y.dot(alpha) + logdet + ldlt.solve(y).sum() + n;
}

// check: array n=9 flags=-isystem,/usr/include/eigen3
// Eigen with dynamic sizes: heap matrices, products through temporaries, reductions.
#include <Eigen/Dense>

extern "C" double objective(const double *x, int n)
{
    Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(x, n);
    Eigen::MatrixXd a(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a(i, j) = v(i) * (j + 1.0) / n + (i == j ? 1.0 : 0.0);
    Eigen::VectorXd w = a * v;
    Eigen::VectorXd u = a.lazyProduct(w) + 0.5 * w.cwiseProduct(v);
    return u.squaredNorm() / n + w.array().sqrt().sum() + a.trace() * v.mean();
}

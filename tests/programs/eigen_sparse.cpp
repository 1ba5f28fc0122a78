// check: array n=10 flags=-isystem,/usr/include/eigen3
// Eigen's sparse matrices: assembly of values into a fixed pattern, products with vectors.
#include <Eigen/Sparse>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<Eigen::Triplet<double>> triplets;
    for (int i = 0; i < n; i++) {
        triplets.emplace_back(i, i, 2.0 + x[i]);
        if (i > 0)
            triplets.emplace_back(i, i - 1, -x[i] * x[i - 1]);
    }
    Eigen::SparseMatrix<double> a(n, n);
    a.setFromTriplets(triplets.begin(), triplets.end());
    Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(x, n);
    Eigen::VectorXd w = a * v;
    return w.squaredNorm() + v.dot(a.transpose() * w);
}

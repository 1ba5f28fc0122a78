// check: main level=-O2 flags=-isystem/usr/include/eigen3,-g1
// Sparse matrices: explicit and implicit steps of the heat equation, the latter by a Cholesky decomposition and by
// conjugate gradients.
#include "eigen_check.h"
#include <Eigen/Sparse>

using namespace Eigen;

static SparseMatrix<double> conduction(const double *x, int n, double scale)
{
    std::vector<Triplet<double>> entries;
    for (int i = 0; i < n; i++) {
        entries.emplace_back(i, i, 1 + 2 * scale * x[i]);
        if (i > 0)
            entries.emplace_back(i, i - 1, -scale * x[i] * x[i - 1]);
        if (i + 1 < n)
            entries.emplace_back(i, i + 1, -scale * x[i] * x[i + 1]);
    }
    SparseMatrix<double> a(n, n);
    a.setFromTriplets(entries.begin(), entries.end());
    return a;
}

static double heat(const double *x, int n)
{
    SparseMatrix<double> step = conduction(x, n, -0.1), a = conduction(x, n, 0.4);
    VectorXd u = VectorXd::LinSpaced(n, 0, 1);
    for (int k = 0; k < 5; k++)
        u = step * u;
    SimplicialLLT<SparseMatrix<double>> llt(a);
    ConjugateGradient<SparseMatrix<double>, Lower | Upper> iterative(a);
    VectorXd v = llt.solve(u), w = iterative.solve(v);
    return v.squaredNorm() + w.sum();
}

int main()
{
    check<heat>("heat", 9);
    return expect_failures;
}

// check: main level=-O2 flags=-isystem/usr/include/eigen3,-g1
// Tensors: operations by elements, shuffles, contractions, reductions.
#include "eigen_check.h"
#include <unsupported/Eigen/CXX11/Tensor>

using namespace Eigen;

static double tensors(const double *x, int)
{
    TensorMap<Tensor<const double, 3>> a(x, 2, 3, 4);
    Tensor<double, 3> b = a * a + a.exp(), c = b.shuffle(array<int, 3>{2, 0, 1});
    Tensor<double, 2> d = a.contract(b, array<IndexPair<int>, 2>{IndexPair<int>(0, 0), IndexPair<int>(1, 1)});
    Tensor<double, 0> sum = c.chip(1, 0).sum(), largest = b.maximum(), squares = d.square().sum();
    return sum(0) * largest(0) + squares(0);
}

int main()
{
    check<tensors>("tensors", 24);
    return expect_failures;
}

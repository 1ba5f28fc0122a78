// check: array n=8 flags=-isystem,/usr/include/eigen3
// Eigen's unsupported tensors: a contraction, a reduction and element-wise functions.
#include <unsupported/Eigen/CXX11/Tensor>

extern "C" double objective(const double *x, int n)
{
    Eigen::Tensor<double, 3> t(2, 2, 2);
    for (int i = 0; i < n; i++)
        t(i & 1, (i >> 1) & 1, i >> 2) = x[i];
    Eigen::Tensor<double, 3> s = t * t + t.exp() * 0.5;
    Eigen::Tensor<double, 0> total = s.sum();
    return total() + s(1, 0, 1) * t(0, 1, 0);
}

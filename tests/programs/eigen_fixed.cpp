// check: array n=12 flags=-isystem,/usr/include/eigen3
// Eigen: small fixed matrices, products, inverse, cross product, blocks and coefficient-wise functions.
#include <Eigen/Dense>

extern "C" double objective(const double *x, int n)
{
    Eigen::Map<const Eigen::Matrix3d> a(x);
    Eigen::Map<const Eigen::Vector3d> v(x + 9);
    Eigen::Matrix3d m = a.transpose() * a + Eigen::Matrix3d::Identity();
    Eigen::Vector3d w = m.inverse() * v;
    Eigen::Vector3d c = w.cross(v.cwiseAbs2()) + a.col(1);
    double corner = m.topLeftCorner<2, 2>().determinant();
    return c.norm() + corner * w.dot(v) + (a.array() * a.array().exp()).sum() / n;
}

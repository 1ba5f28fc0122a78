// check: array n=12 flags=-isystem,/usr/include/eigen3
// Eigen's PartialPivLU and HouseholderQR of small matrices.
#include <Eigen/Dense>

extern "C" double objective(const double *x, int n)
{
    Eigen::Matrix3d a = Eigen::Map<const Eigen::Matrix3d>(x) + 2.0 * Eigen::Matrix3d::Identity();
    Eigen::Vector3d b(x[9], x[10], x[11]);
    Eigen::Vector3d u = a.partialPivLu().solve(b);
    Eigen::HouseholderQR<Eigen::Matrix3d> qr(a);
    Eigen::Vector3d v = qr.solve(b.cwiseProduct(u));
    return u.squaredNorm() + v.sum() * qr.absDeterminant() / n;
}

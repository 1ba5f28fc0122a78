// check: main flags=-isystem/usr/include/eigen3,-g1 refused=E0113@-O2-fno-inline
// Matrices of fixed size and geometry: a Kalman filter, a rigid body turned by quaternions.
#include "eigen_check.h"
#include <Eigen/Geometry>
#include <Eigen/LU>

using namespace Eigen;

static double small(const double *x, int)
{
    Matrix3d a = Map<const Matrix3d>(x);
    Vector3d v(x[9], x[10], x[11]), w = a * v + a.transpose() * v;
    Matrix3d b = a * a.transpose() + Matrix3d::Identity();
    return w.dot(v) + b.determinant() + b.inverse().trace() + w.norm() + v.cross(w).squaredNorm();
}

static double kalman(const double *x, int)
{
    Matrix4d f = Map<const Matrix4d>(x), p = Matrix4d::Identity();
    Vector4d s = Map<const Vector4d>(x + 16), q = Map<const Vector4d>(x + 20);
    Vector2d z(x[24], x[25]);
    Matrix<double, 2, 4> h;
    h << 1, 0, 0.5, 0, 0, 1, 0, 0.5;
    double likelihood = 0;
    for (int k = 0; k < 3; k++) {
        s = f * s;
        p = f * p * f.transpose();
        p.diagonal() += q;
        Matrix2d sigma = h * p * h.transpose() + 0.1 * Matrix2d::Identity();
        Vector2d y = z - h * s;
        Matrix<double, 4, 2> gain = p * h.transpose() * sigma.inverse();
        likelihood += y.dot(sigma.inverse() * y) + std::log(sigma.determinant());
        s += gain * y;
        p = (Matrix4d::Identity() - gain * h) * p;
    }
    return likelihood + s.squaredNorm();
}

static double rigid_body(const double *x, int)
{
    Quaterniond q(x[0], x[1], x[2], x[3]);
    q.normalize();
    Vector3d omega(x[4], x[5], x[6]), inertia(1, 2, 3);
    double dt = 0.05;
    for (int k = 0; k < 10; k++) {
        Vector3d torque = -omega.cross(inertia.cwiseProduct(omega));
        omega += dt * torque.cwiseQuotient(inertia);
        q = q * Quaterniond(AngleAxisd(omega.norm() * dt, omega.normalized()));
        q.normalize();
    }
    Affine3d moved = Translation3d(x[7], x[8], x[9]) * q;
    Vector3d p = moved * Vector3d(1, 2, 3);
    return p.squaredNorm() + (q.toRotationMatrix() * omega).x() + q.slerp(0.3, Quaterniond::Identity()).w();
}

int main()
{
    check<small, BOTH_MODES>("small", 12);
    check<kalman>("kalman", 26);
    check<rigid_body, BOTH_MODES>("rigid body", 10);
    return expect_failures;
}

// check: array n=6 flags=-isystem/usr/include/eigen3,-std=c++17
// Products of crosses of small vectors, of which LLVM makes values with names as long as it allows.
#include <Eigen/Dense>
using namespace Eigen;
extern "C" double objective(const double *x, int n) {
    Vector3d w(x[0], x[1], x[2]); Matrix3d r = w * w.transpose(); Vector3d a = r * (w + w.cross(w.cross(w))) + w;
    return a.sum();
}

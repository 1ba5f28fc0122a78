// check: scalar n=2
// Functions in namespaces, overloads by type, default arguments, constexpr.
#include <cmath>

namespace physics {
constexpr double gravity = 9.81;
namespace detail {
inline double square(double v) { return v * v; }
inline float square(float v) { return v * v * 1.0f; }
}  // namespace detail
static double energy(double mass, double speed, double height = 1.0)
{
    return 0.5 * mass * detail::square(speed) + mass * gravity * height;
}
}  // namespace physics

extern "C" double objective(double a, double b)
{
    using namespace physics;
    return energy(a, b) * 0.1 + energy(b, a, a * b) + std::pow(detail::square(a), 1.5);
}

// check: array n=9
// A small vector class with overloaded operators.
#include <cmath>

struct Vec3 {
    double x, y, z;
    Vec3 operator+(const Vec3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
    Vec3 operator-(const Vec3 &o) const { return {x - o.x, y - o.y, z - o.z}; }
    Vec3 operator*(double s) const { return {x * s, y * s, z * s}; }
    Vec3 &operator+=(const Vec3 &o) { return *this = *this + o; }
    double dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
    Vec3 cross(const Vec3 &o) const { return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x}; }
    double norm() const { return std::sqrt(dot(*this)); }
};

extern "C" double objective(const double *x, int n)
{
    Vec3 a{x[0], x[1], x[2]}, b{x[3], x[4], x[5]}, c{x[6], x[7], x[8]};
    Vec3 sum = a + b * c.norm();
    for (int i = 0; i < 4; i++)
        sum += (a - c).cross(sum) * 0.1;
    return sum.norm() + a.cross(b).dot(c);
}

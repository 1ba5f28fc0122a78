// check: array n=6 real=float
// Vertices of floats, passed by value in registers.
#include <math.h>

typedef struct {
    float x, y, z;
} vec3;

static vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

__attribute__((noinline)) static float dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

float objective(const float *x, int n)
{
    vec3 a = {x[0], x[1], x[2]}, b = {x[3], x[4] * 2.0f, x[5]}, c = cross(a, b);
    return sqrtf(dot(c, c)) + dot(a, b) * a.x;
}

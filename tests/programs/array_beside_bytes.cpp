// check: array n=6 real=float refused=E0111@-O2-fno-inline
// An array of floats in a struct with smaller integers behind it, passed and returned by value, whose elements are chosen by
// one of these integers.
#include <array>

struct Ray {
    std::array<float, 3> at;
    unsigned char depth;
    bool alive;
};

__attribute__((noinline)) static Ray bounced(Ray ray, float factor)
{
    ray.at[ray.depth % 3] = factor * ray.at[(ray.depth + 1) % 3];
    ray.depth++;
    ray.alive = ray.depth < 5;
    return ray;
}

extern "C" float objective(const float *x, int n)
{
    Ray ray{{x[0], x[1], x[2]}, 0, true};
    while (ray.alive)
        ray = bounced(ray, x[4]);
    return ray.at[0] * ray.at[1] + ray.at[2];
}

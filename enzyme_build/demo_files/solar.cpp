// The planets under each other's gravity, in astronomical units, days and solar masses.
#include <cmath>
#include <vector>

namespace {

const double gravity = 0.01720209895 * 0.01720209895;  // Gauss's constant, squared

struct Vec3 {
    double x, y, z;
    Vec3 &operator+=(const Vec3 &o)
    {
        x += o.x, y += o.y, z += o.z;
        return *this;
    }
    double norm() const { return std::sqrt(x * x + y * y + z * z); }
};
Vec3 operator-(const Vec3 &a, const Vec3 &b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vec3 operator*(double s, const Vec3 &v) { return {s * v.x, s * v.y, s * v.z}; }
double squared(const Vec3 &v) { return v.x * v.x + v.y * v.y + v.z * v.z; }

struct Body {
    Vec3 position, velocity;
    double mass;
};

class SolarSystem {
    std::vector<Body> bodies;

    void kick(double dt)
    {
        for (std::size_t i = 0; i < bodies.size(); i++)
            for (std::size_t j = i + 1; j < bodies.size(); j++) {
                Body &a = bodies[i], &b = bodies[j];
                const Vec3 between = b.position - a.position;
                const double r = between.norm(), pull = dt * gravity / (r * r * r);
                a.velocity += b.mass * pull * between;
                b.velocity += -a.mass * pull * between;
            }
    }

    void drift(double dt)
    {
        for (Body &body : bodies)
            body.position += dt * body.velocity;
    }

  public:
    SolarSystem(const double *x, const double *v, const double *mass, int n)
    {
        for (int i = 0; i < n; i++)
            bodies.push_back({{x[3 * i], x[3 * i + 1], x[3 * i + 2]}, {v[3 * i], v[3 * i + 1], v[3 * i + 2]}, mass[i]});
    }

    void run(int steps, double dt)  // leapfrog: the error of the energy stays bounded
    {
        for (int s = 0; s < steps; s++) {
            drift(0.5 * dt);
            kick(dt);
            drift(0.5 * dt);
        }
    }

    double energy() const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < bodies.size(); i++) {
            sum += 0.5 * bodies[i].mass * squared(bodies[i].velocity);
            for (std::size_t j = 0; j < i; j++)
                sum -= gravity * bodies[i].mass * bodies[j].mass / (bodies[i].position - bodies[j].position).norm();
        }
        return sum;
    }

    double distance(int a, int b) const { return (bodies[a].position - bodies[b].position).norm(); }

    void write_positions(double *out) const
    {
        for (const Body &body : bodies) {
            *out++ = body.position.x;
            *out++ = body.position.y;
            *out++ = body.position.z;
        }
    }
};

}  // namespace

// The total energy after `steps` steps.
extern "C" double energy_after(const double *x, const double *v, const double *mass, int n, int steps, double dt)
{
    SolarSystem system(x, v, mass, n);
    system.run(steps, dt);
    return system.energy();
}

// The distance between the bodies `a` and `b` after `steps` steps.
extern "C" double distance_after(const double *x, const double *v, const double *mass, int n, int steps, double dt,
                                 int a, int b)
{
    SolarSystem system(x, v, mass, n);
    system.run(steps, dt);
    return system.distance(a, b);
}

// The positions of all bodies every `stride` steps: `frames` times.
extern "C" void trajectory(const double *x, const double *v, const double *mass, int n, int frames, int stride,
                           double dt, double *path)
{
    SolarSystem system(x, v, mass, n);
    for (int frame = 0; frame < frames; frame++) {
        system.write_positions(path + frame * 3 * n);
        system.run(stride, dt);
    }
}

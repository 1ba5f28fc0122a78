// check: array n=6
// A class with operator new and delete of its own, and placement new into raw storage.
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <new>

struct Particle {
    double x, v;
    Particle(double position, double velocity) : x(position), v(velocity) {}
    static void *operator new(std::size_t bytes) { return std::malloc(bytes + 16); }
    static void *operator new(std::size_t, void *at) { return at; }
    static void operator delete(void *p) { std::free(p); }
    void step(double h)
    {
        x += h * v;
        v -= h * std::sin(x);
    }
};

extern "C" double objective(const double *x, int n)
{
    alignas(Particle) unsigned char storage[sizeof(Particle) * 4];
    double sum = 0.0;
    for (int i = 0; i + 1 < n; i += 2) {
        Particle *heap = new Particle(x[i], x[i + 1]);
        Particle *placed = new (storage + sizeof(Particle) * (i / 2)) Particle(*heap);
        for (int k = 0; k < 4; k++) {
            heap->step(0.1);
            placed->step(-0.05);
        }
        sum += heap->x * placed->v;
        placed->~Particle();
        delete heap;
    }
    return sum;
}

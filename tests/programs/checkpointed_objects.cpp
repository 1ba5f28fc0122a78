// check: main flags=-Itests/support,-std=c++17 level=-O2 valgrind=no
// Checkpointed loops over vectors and objects: their own, and those of the caller, whose bytes are told.
// (Less optimised, objects reach their vectors through pointers that each step reads again: refused.)
#include "expect.h"
#include <enzyme/enzyme>
#include <vector>
extern "C" void __enzyme_checkpoint(long);
extern "C" void __enzyme_checkpoint_memory(void *, long);

struct Wave {
    std::vector<double> u, v;
    double time = 0, trace = 0;
    int count = 0;

    void step(const std::vector<double> &k)
    {
        std::size_t n = u.size();
        for (std::size_t i = 0; i < n; i++) {
            double left = i ? u[i - 1] : 0, right = i + 1 < n ? u[i + 1] : 0;
            v[i] += k[i % k.size()] * (left - 2 * u[i] + right) - 0.01 * u[i] * u[i] * u[i];
        }
        for (std::size_t i = 0; i < n; i++)
            u[i] += 0.1 * v[i];
        time += 0.1 * u[3];
        trace += std::sin(time) * u[2];
        count++;
    }
};

static Wave start(int n)
{
    Wave wave;
    wave.u.resize(n);
    wave.v.resize(n);
    for (int i = 0; i < n; i++)
        wave.u[i] = std::sin(0.3 * i);
    return wave;
}

static double own(const std::vector<double> &k, int steps)
{
    Wave wave = start(20);
    for (int n = 0; n < steps; n++) {
        __enzyme_checkpoint(0);
        wave.step(k);
    }
    return wave.trace + wave.u[4] * wave.count;
}

__attribute__((noinline)) static void run(Wave &wave, const std::vector<double> &k, int steps)
{
    for (int n = 0; n < steps; n++) {
        __enzyme_checkpoint(-1);
        __enzyme_checkpoint_memory(&wave, sizeof wave);
        __enzyme_checkpoint_memory(wave.u.data(), wave.u.size() * sizeof(double));
        __enzyme_checkpoint_memory(wave.v.data(), wave.v.size() * sizeof(double));
        wave.step(k);
    }
}

static double told(const std::vector<double> &k, int steps)
{
    Wave wave = start(20);
    run(wave, k, steps);
    return wave.trace + wave.u[4] * wave.count;
}

static double exchanged(const std::vector<double> &k, int steps)
{
    std::vector<double> first(20, 1.0), second(20, 1.0);
    first[7] = 2;
    double *u = first.data(), *v = second.data();
    for (int n = 0; n < steps; n++) {
        __enzyme_checkpoint(4);
        for (std::size_t i = 1; i + 1 < first.size(); i++)
            v[i] = u[i] + k[i % k.size()] * (u[i - 1] - 2 * u[i] + u[i + 1]) * std::cos(u[i]);
        std::swap(u, v);
    }
    return u[7] * u[8];
}

template <auto f> static void check(const char *name)
{
    std::vector<double> k{0.1, 0.2, 0.05}, k_bar(3), direction{0.3, -1, 0.7};
    enzyme::autodiff<enzyme::Reverse>(f, enzyme::Duplicated(k, k_bar), 60);
    auto [forward] = enzyme::autodiff<enzyme::Forward>(f, enzyme::Duplicated(k, direction), enzyme::Const(60));
    double reverse = 0;
    for (int i = 0; i < 3; i++)
        reverse += k_bar[i] * direction[i];
    if (!(std::fabs(reverse - forward) < 1e-11 * (1 + std::fabs(forward)))) {
        printf("FAIL: %s is %.15g, expected %.15g\n", name, reverse, forward);
        expect_failures++;
    }
}

int main()
{
    check<own>("own");
    check<told>("told");
    check<exchanged>("exchanged");
    return expect_failures != 0;
}

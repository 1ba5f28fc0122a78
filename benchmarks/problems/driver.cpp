// Times one problem: primal, hand-written gradient and generated gradient, in turn, so that a busy machine slows all three
// alike. One JSON line.
//
//     driver time [SECONDS]     medians of process CPU time; the largest error of the generated gradient
//     driver memory WHAT        peak memory of one call of `primal`, `hand` or `generated`, above that of the inputs
#include "problem.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

static volatile double sink;

static double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

// A number of /proc/self/status in kilobytes: not getrusage's, which remembers the process that started us.
static long status(const char *key)
{
    char line[256];
    long value = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, key, strlen(key)))
            value = atol(line + strlen(key));
    if (file)
        fclose(file);
    return value;
}

static void forget_peak()
{
    if (FILE *file = fopen("/proc/self/clear_refs", "w")) {
        fputs("5", file);
        fclose(file);
    }
}

template <class F> static double sample(F call, int inner)
{
    const double start = cpu_seconds();
    for (int i = 0; i < inner; i++)
        call();
    return (cpu_seconds() - start) / inner;
}

template <class F> static int calls_per_sample(F call)
{
    call();
    return std::max(1, int(0.01 / std::max(sample(call, 1), 1e-9)));
}

static double worst(const std::vector<double> &got, const std::vector<double> &want)
{
    double top = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < got.size(); i++) {
        const double off = std::fabs(got[i] - want[i]);
        top = off <= top ? top : off;  // a nan stays
        scale = std::fmax(scale, std::fabs(want[i]));
    }
    return top / scale;
}

static void time_all(const Problem &p, double budget)
{
    std::vector<double> g(p.outputs()), reference(p.outputs());
    auto primal = [&] { sink = p.primal(); };
    auto hand = [&] { p.gradient(Problem::hand, reference.data()); };
    auto generated = [&] { p.gradient(Problem::generated, g.data()); };
    const int inner[3] = {calls_per_sample(primal), calls_per_sample(hand), calls_per_sample(generated)};
    std::array<std::vector<double>, 3> taken;
    const double start = cpu_seconds();
    while (taken[0].size() < 5 || (cpu_seconds() - start < budget && taken[0].size() < 200)) {
        taken[0].push_back(sample(primal, inner[0]));
        taken[1].push_back(sample(hand, inner[1]));
        taken[2].push_back(sample(generated, inner[2]));
    }
    double median[3];
    for (int i = 0; i < 3; i++) {
        std::sort(taken[i].begin(), taken[i].end());
        median[i] = taken[i][taken[i].size() / 2] * 1e3;
    }
    printf("{\"inputs\": %zu, \"samples\": %zu, \"primal_ms\": %.6g, \"hand_ms\": %.6g, \"generated_ms\": %.6g, "
           "\"error\": %.3g}\n",
           p.x.size(), taken[0].size(), median[0], median[1], median[2], worst(g, reference));
}

static int memory(const Problem &p, const char *what)
{
    std::vector<double> g(p.outputs(), 0.0);
    forget_peak();
    const long before = status("VmRSS:");
    if (!strcmp(what, "primal"))
        sink = p.primal();
    else if (!strcmp(what, "hand"))
        p.gradient(Problem::hand, g.data());
    else if (!strcmp(what, "generated"))
        p.gradient(Problem::generated, g.data());
    else
        return 2;
    printf("{\"peak_kb\": %ld}\n", status("VmHWM:") - before);
    return 0;
}

int main(int argc, char **argv)
{
    const Problem p;
    if (argc == 3 && !strcmp(argv[1], "memory"))
        return memory(p, argv[2]);
    if (argc < 2 || strcmp(argv[1], "time"))
        return 2;
    time_all(p, argc > 2 ? atof(argv[2]) : 1.5);
}

// Times one problem: primal, hand-written gradient, generated gradient and the rivals that are linked in, in turn, so
// that a busy machine slows all of them alike. One JSON line.
//
//     driver time [SECONDS]     medians of process CPU time; the largest error of each gradient against the hand-written
//     driver memory WHAT        peak memory of one call of `primal`, `hand`, `generated` or a rival, above the inputs'
//     driver dump FOLDER        point, constants and hand-written gradient as raw doubles, for tools of other languages
#include "../rivals/rival.hpp"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <numeric>
#include <string>

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

struct Variant {
    std::string name;
    std::function<void()> call;
    std::vector<double> result;  // of a gradient
    int inner = 1;
    std::vector<double> taken;

    double spent() const { return std::accumulate(taken.begin(), taken.end(), 0.0) * inner; }
    double median_ms()
    {
        std::sort(taken.begin(), taken.end());
        return taken[taken.size() / 2] * 1e3;
    }
};

static std::vector<Variant> variants(const Problem &p)
{
    std::vector<Variant> all(3);
    all[0] = {"primal", [&p] { sink = p.primal(); }, {}};
    all[1].name = "hand";
    all[2].name = "generated";
    for (const Rival &rival : rivals())
        all.push_back({rival.name, nullptr, {}});
    for (std::size_t i = 1; i < all.size(); i++) {
        all[i].result.resize(p.outputs());
        double *g = all[i].result.data();  // stays where it is when the variant is moved
        if (i < 3)
            all[i].call = [&p, g, f = i == 1 ? Problem::hand : Problem::generated] { p.gradient(f, g); };
        else
            all[i].call = [&p, g, f = rivals()[i - 3].gradient] { f(p, g); };
    }
    return all;
}

// A rival that has had its time sits out, so that slow ones do not make the others wait.
static void time_all(const Problem &p, double budget)
{
    std::vector<Variant> all = variants(p);
    for (Variant &v : all)
        v.inner = calls_per_sample(v.call);
    const auto enough = [&] { return all[0].spent() + all[1].spent() + all[2].spent() >= budget; };
    for (int round = 0; round < 7 || (!enough() && round < 200); round++)
        for (std::size_t i = 0; i < all.size(); i++)
            if (i < 3 || round == 0 || all[i].spent() < budget)
                all[i].taken.push_back(sample(all[i].call, all[i].inner));
    const std::vector<double> &reference = all[1].result;
    printf("{\"inputs\": %zu, \"samples\": %zu, \"primal_ms\": %.6g, \"hand_ms\": %.6g, \"generated_ms\": %.6g, "
           "\"error\": %.3g, \"rivals\": {",
           p.x.size(), all[0].taken.size(), all[0].median_ms(), all[1].median_ms(), all[2].median_ms(),
           worst(all[2].result, reference));
    for (std::size_t i = 3; i < all.size(); i++)
        printf("%s\"%s\": {\"ms\": %.6g, \"samples\": %zu, \"error\": %.3g}", i > 3 ? ", " : "", all[i].name.c_str(),
               all[i].median_ms(), all[i].taken.size(), worst(all[i].result, reference));
    printf("}}\n");
}

static int memory(const Problem &p, const char *what)
{
    for (Variant &v : variants(p))
        if (v.name == what) {
            std::fill(v.result.begin(), v.result.end(), 0.0);
            forget_peak();
            const long before = status("VmRSS:");
            v.call();
            printf("{\"peak_kb\": %ld}\n", status("VmHWM:") - before);
            return 0;
        }
    return 2;
}

static int dump(const Problem &p, const std::string &folder)
{
    std::vector<double> gradient(p.outputs());
    p.gradient(Problem::hand, gradient.data());
    const auto write = [&](const char *name, const std::vector<double> &numbers) {
        FILE *file = fopen((folder + "/" + name).c_str(), "wb");
        const bool whole = file && fwrite(numbers.data(), sizeof(double), numbers.size(), file) == numbers.size();
        return file && !fclose(file) && whole;
    };
    return write("x", p.x) && write("constants", p.constants()) && write("gradient", gradient) ? 0 : 1;
}

int main(int argc, char **argv)
{
    const Problem p;
    if (argc == 3 && !strcmp(argv[1], "memory"))
        return memory(p, argv[2]);
    if (argc == 3 && !strcmp(argv[1], "dump"))
        return dump(p, argv[2]);
    if (argc < 2 || strcmp(argv[1], "time"))
        return 2;
    time_all(p, argc > 2 ? atof(argv[2]) : 1.5);
}

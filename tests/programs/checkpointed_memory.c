// check: main flags=-Itests/support valgrind=no
// What a checkpointed loop keeps: copies of its state, as many as asked for; and that wrong statements are noticed.
#include "expect.h"
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CELLS = 2000, STEPS = 3600, STATE = 2 * CELLS * sizeof(double), SLACK = 2 << 20 };
extern double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_out;
void __enzyme_checkpoint(long snapshots);
void __enzyme_checkpoint_memory(void *memory, long bytes);

static double wave(double speed, long snapshots)
{
    double *u = calloc(CELLS, sizeof *u), *v = calloc(CELLS, sizeof *v), sum = 0;
    double *trace = malloc(STEPS * sizeof *trace); /* written only: not part of the snapshots */
    u[CELLS / 2] = 1;
    for (int step = 0; step < STEPS; step++) {
        __enzyme_checkpoint(snapshots);
        for (int i = 1; i < CELLS - 1; i++)
            v[i] += speed * (u[i - 1] - 2 * u[i] + u[i + 1]) - 0.01 * u[i] * u[i] * u[i] - 0.01 * v[i];
        for (int i = 1; i < CELLS - 1; i++)
            u[i] += v[i];
        trace[step] = u[CELLS / 2];
    }
    for (int i = 0; i < STEPS; i++)
        sum += trace[i] * trace[i];
    free(u);
    free(v);
    free(trace);
    return sum;
}

/* of this program: what getrusage says begins with what its parent had */
static double peak(void)
{
    char line[200];
    double kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
            break;
    if (status)
        fclose(status);
    return 1024 * kilobytes;
}

static void check(const char *name, long asked, double snapshots)
{
    double before = peak();
    double slope = __enzyme_autodiff((void *)wave, enzyme_out, 0.2, enzyme_const, asked);
    double used = peak() - before, allowed = (snapshots + 6) * STATE + SLACK, h = 1e-6;
    double difference = (wave(0.2 + h, 0) - wave(0.2 - h, 0)) / (2 * h);
    EXPECT(fabs(slope - difference) < 1e-6 * fabs(difference), 1);
    if (used > allowed) {
        printf("FAIL: %s takes %.1f MB, allowed are %.1f\n", name, used / 1e6, allowed / 1e6);
        expect_failures++;
    }
}

static void moved(double *u, double *v, int n, int told)
{
    for (int step = 0; step < 40; step++) {
        __enzyme_checkpoint(4);
        __enzyme_checkpoint_memory(u, n * (long)sizeof *u);
        __enzyme_checkpoint_memory(v, told * (long)sizeof *v);
        for (int i = 0; i < n; i++)
            v[i] += 0.1 * sin(u[(i + 1) % n]);
        for (int i = 0; i < n; i++)
            u[i] += 0.1 * v[i];
    }
}

/* how the derivative ends, in a process of its own */
static int ends(int told)
{
    pid_t child = fork();
    if (child == 0) {
        double u[5] = {1, 2, 3, 4, 5}, v[5] = {0}, u_bar[5] = {1}, v_bar[5] = {0};
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        __enzyme_autodiff((void *)moved, enzyme_dup, u, u_bar, enzyme_dup, v, v_bar, enzyme_const, 5, enzyme_const, told);
        _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status);
}

int main(void)
{
    check("a logarithm of the steps", -1, 12);
    check("five snapshots", 5, 5);
    check("a root of the steps", 0, 60);
    EXPECT(ends(5), 0);
    EXPECT(ends(4), 1); /* the last element of v is not restored */
    return expect_failures != 0;
}

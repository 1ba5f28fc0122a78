/* Derivatives against Ridders' extrapolated central differences, forward against reverse, and the promises of the
 * interface: shadows accumulate, primal inputs and outputs stay what the program makes them. */
#include "harness.h"

#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLAIN
/* What means nothing without derivatives. */
void __enzyme_checkpoint(long count);
void __enzyme_checkpoint_memory(void *start, long size);
void __enzyme_checkpoint(long count)
{
    (void)count;
}
void __enzyme_checkpoint_memory(void *start, long size)
{
    (void)start, (void)size;
}
#endif

Settings settings = {0.5, 1.5, 1e-6, 1e-10, 0.05, 0, 0, 0, 0};
static int failures = 0;

void fail(const char *format, ...)
{
    va_list arguments;
    if (failures++ >= 8)
        return;
    va_start(arguments, format);
    fputs("FAIL: ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

static uint64_t state;

static double uniform(double low, double high)
{
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return low + (high - low) * ((z ^ (z >> 31)) >> 11) * (1.0 / 9007199254740992.0);
}

static double *numbers(int count)
{
    double *p = calloc(count + 1, sizeof *p);
    if (!p)
        abort();
    return p;
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static double largest(const double *a, int count)
{
    double top = 0.0;
    for (int i = 0; i < count; i++)
        top = fmax(top, fabs(a[i]));
    return top;
}

static double along(double *x, double *y, const double *w, int n, int m)
{
    evaluate(x, y, n, m);
    return dot(w, y, m);
}

/* Derivative of w.f in x[i] and an estimate of its error (Ridders 1982). */
static double ridders(double *x, int i, const double *w, double *y, int n, int m, double *error)
{
    enum { ROWS = 11 };
    double table[ROWS][ROWS], best = 0.0;
    const double at = x[i];
    double h = settings.step * fmax(fabs(at), 0.1);
    *error = HUGE_VAL;
    for (int r = 0; r < ROWS; r++, h *= 0.5) {
        x[i] = at + h;
        const double above = x[i], up = along(x, y, w, n, m);
        x[i] = at - h;
        const double below = x[i], down = along(x, y, w, n, m);
        table[r][0] = (up - down) / (above - below);
        double factor = 1.0;
        for (int c = 1; c <= r; c++) {
            factor *= 4.0;
            table[r][c] = (table[r][c - 1] * factor - table[r - 1][c - 1]) / (factor - 1.0);
            const double off = fmax(fabs(table[r][c] - table[r][c - 1]), fabs(table[r][c] - table[r - 1][c - 1]));
            if (off <= *error) {
                *error = off;
                best = table[r][c];
            }
        }
    }
    x[i] = at;
    return best;
}

static void same(const char *what, const double *got, const double *want, int count, double tolerance, double scale)
{
    for (int i = 0; i < count; i++)
        if (!(fabs(got[i] - want[i]) <= tolerance * (fabs(want[i]) + scale)))
            fail("%s[%d] is %.15g, expected %.15g (difference %.3g)", what, i, got[i], want[i], got[i] - want[i]);
}

/* Leave the stack full of large numbers, so that a shadow or slot nobody initialised is seen. */
__attribute__((noinline)) static void scribble(void)
{
    char stack[1 << 16];
    memset(stack, 0x7f, sizeof stack);
    __asm__ volatile("" : : "r"(stack) : "memory");
}

/* What is kept for the next call may grow with the addresses and the random keys that it finds; a leak grows with each. */
enum { CALLS = 8 };

static long in_use(void)
{
    const struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
}

static void check_reverse(const double *x, const double *y0, const double *w, const double *slope, double *g, int n,
                          int m, double scale)
{
    double *y = numbers(m), *bar = numbers(n), *want = numbers(n);

    scribble();
    pull(x, y, w, g, n, m);
    same("reverse gradient", g, slope, n, settings.tolerance, scale);
    same("output after the reverse call", y, y0, m, 1e-13, largest(y0, m));

    long grown = 1;
    for (int call = 0; call < CALLS && grown; call++) {
        memcpy(bar, g, sizeof *g * n);
        scribble();
        const long before = in_use();
        pull(x, y, w, bar, n, m);
        grown = in_use() - before;
    }
    if (grown)
        fail("reverse mode leaks %ld bytes", grown);
    for (int i = 0; i < n; i++)
        want[i] = 2.0 * g[i];
    same("gradient accumulated over two calls", bar, want, n, settings.identity, scale);

    for (int i = 0; i < n; i++) {
        bar[i] = uniform(-1.0, 1.0) * (1.0 + scale);
        want[i] = bar[i] + g[i];
    }
    pull(x, y, w, bar, n, m);
    same("gradient added to a shadow that was not zero", bar, want, n, settings.identity, 1.0 + scale);
    free(y);
    free(bar);
    free(want);
}

static void check_forward(const double *x, const double *w, const double *slope, const double *g, int n, int m,
                          double scale)
{
    double *v = numbers(n), *y_dot = numbers(m), size = 0.0;
    for (int i = 0; i < n; i++) {
        v[i] = uniform(-1.0, 1.0);
        size += fabs(slope[i] * v[i]);
    }
    scribble();
    push(x, v, y_dot, n, m);
    long grown = 1;
    for (int call = 0; call < CALLS && grown; call++) {
        scribble();
        const long before = in_use();
        push(x, v, y_dot, n, m);
        grown = in_use() - before;
    }
    if (grown)
        fail("forward mode leaks %ld bytes", grown);
    const double forward = dot(w, y_dot, m), difference = dot(slope, v, n);
    size += scale;
    if (!(fabs(forward - difference) <= settings.tolerance * size))
        fail("forward mode gives %.15g, finite differences %.15g", forward, difference);
    const double reverse = g ? dot(g, v, n) : forward;
    if (!(fabs(forward - reverse) <= settings.identity * size))
        fail("w.(J v) is %.15g by forward mode, (w J).v is %.15g by reverse mode (difference %.3g)", forward, reverse,
             forward - reverse);
    free(v);
    free(y_dot);
}

/* Vector mode gives in each lane what a call of its own gives. */
static void check_lanes(const double *x, int n, int m, double scale)
{
    double *in[2], *out[2], *y = numbers(m), *alone = numbers(n > m ? n : m);
    for (int lane = 0; lane < 2; lane++) {
        in[lane] = numbers(n > m ? n : m);
        out[lane] = numbers(n > m ? n : m);
        for (int i = 0; i < (n > m ? n : m); i++)
            in[lane][i] = m == 1 ? 1.0 + lane : uniform(0.5, 1.5);
    }
    scribble();
    int calls = 0;
    long grown = 1;
    for (; calls < 1 + CALLS && grown; calls++) {
        const long before = in_use();
        pull_lanes(x, (const double *const *)in, out, n, m);
        grown = in_use() - before;
    }
    if (grown)
        fail("reverse mode with two lanes leaks %ld bytes", grown);
    for (int lane = 0; lane < 2; lane++) {
        memset(alone, 0, sizeof *alone * n);
        pull(x, y, in[lane], alone, n, m);
        for (int i = 0; i < n; i++)
            alone[i] *= calls * (m == 1 ? in[lane][0] : 1.0);
        same(lane ? "gradient in the second lane" : "gradient in the first lane", out[lane], alone, n,
             settings.identity, calls * scale);
    }
    for (int lane = 0; lane < 2; lane++)
        for (int i = 0; i < n; i++)
            in[lane][i] = uniform(-1.0, 1.0);
    scribble();
    push_lanes(x, (const double *const *)in, out, n, m);
    for (int lane = 0; lane < 2; lane++) {
        push(x, in[lane], alone, n, m);
        same(lane ? "tangent in the second lane" : "tangent in the first lane", out[lane], alone, m,
             settings.identity, n * scale);
    }
    for (int lane = 0; lane < 2; lane++) {
        free(in[lane]);
        free(out[lane]);
    }
    free(y);
    free(alone);
}

static double *point(int n, uint64_t seed)
{
    double *x = numbers(n);
    state = seed;
    for (int i = 0; i < n; i++)
        x[i] = uniform(settings.low, settings.high);
    return x;
}

static void print_values(int n, int m, uint64_t seed)
{
    m = outputs_of(n, m);
    double *x = point(n, seed), *y = numbers(m);
    evaluate(x, y, n, m);
    for (int i = 0; i < m; i++)
        printf("primal value %.17g\n", y[i]);
    free(x);
    free(y);
}

static void check(int n, int m, uint64_t seed)
{
    m = outputs_of(n, m);
    double *y = numbers(m), *y0 = numbers(m), *w = numbers(m), *slope = numbers(n), *g = numbers(n);
    double *x = point(n, seed);
    for (int i = 0; i < m; i++)
        w[i] = m == 1 ? 1.0 : uniform(0.5, 1.5);

    evaluate(x, y0, n, m);
    evaluate(x, y, n, m);
    same("output of a second primal call", y, y0, m, 0.0, 0.0);
    double worst = 0.0;
    for (int i = 0; i < n; i++) {
        double error;
        slope[i] = ridders(x, i, w, y, n, m, &error);
        worst = fmax(worst, error);
    }
    /* Partials far below the largest are compared on its scale; a map that is flat is compared on its values'. */
    const double scale = 0.1 * largest(slope, n) + 1e-3 * largest(y0, m) + 1e-12;
    const int rough = worst > 0.5 * settings.tolerance * (largest(slope, n) + scale);
    if (rough && settings.lenient)
        settings.tolerance = HUGE_VAL;
    else if (rough)
        fail("finite differences are only good to %.3g (largest partial %.3g)", worst, largest(slope, n));
    for (int i = 0; i < m; i++)
        if (!isfinite(y0[i]))
            fail("output %d is %g", i, y0[i]);
    if (pull)
        check_reverse(x, y0, w, slope, g, n, m, scale);
    if (push)
        check_forward(x, w, slope, pull ? g : NULL, n, m, scale);
    if (pull && push && pull_lanes && push_lanes)
        check_lanes(x, n, m, scale);
    free(x);
    free(y);
    free(y0);
    free(w);
    free(slope);
    free(g);
}

int main(int argc, char **argv)
{
    int m = 1;
    uint64_t seed = 1;
    /* key=value arguments; each n=N runs the checks with what was given before it */
    for (int i = 1; i < argc; i++) {
        char *value = strchr(argv[i], '=');
        if (!value)
            return 2;
        *value++ = '\0';
        const char *key = argv[i];
        if (!strcmp(key, "n"))
            (settings.values ? print_values : check)(atoi(value), m, seed);
        else if (!strcmp(key, "m"))
            m = atoi(value);
        else if (!strcmp(key, "seed"))
            seed = strtoull(value, NULL, 10);
        else if (!strcmp(key, "low"))
            settings.low = atof(value);
        else if (!strcmp(key, "high"))
            settings.high = atof(value);
        else if (!strcmp(key, "tol"))
            settings.tolerance = atof(value);
        else if (!strcmp(key, "identity"))
            settings.identity = atof(value);
        else if (!strcmp(key, "step"))
            settings.step = atof(value);
        else if (!strcmp(key, "keeps"))
            settings.keeps = atoi(value);
        else if (!strcmp(key, "mutates"))
            settings.mutates = atoi(value);
        else if (!strcmp(key, "lenient"))
            settings.lenient = atoi(value);
        else if (!strcmp(key, "values"))
            settings.values = atoi(value);
        else {
            printf("unknown key '%s'\n", key);
            return 2;
        }
    }
    if (failures)
        printf("%d check(s) failed\n", failures);
    return failures != 0;
}

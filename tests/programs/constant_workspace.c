// check: main flags=-Itests/support
// Work memory that is constant, or may be: where it is used, the program ends; where it is not, the gradient is right.
#include "expect.h"
#include "stops.h"

extern int enzyme_const, enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    const double *data;
    int length, unit[9];
} box;

typedef struct {
    double *room;
    int length;
    const double *rows[3];
    box kept[2];
} work;

static double squares(const double *x, double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        w[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += w[i] * w[n - 1 - i];
    return sum;
}

__attribute__((noinline)) static double given(const double *x, work *w, int n)
{
    double few[4], *room = n <= 4 ? few : w->room;
    return squares(x, room, n);
}

__attribute__((noinline)) static double allocated(const double *x, work *w, int n)
{
    double *room = w->length >= n ? w->room : malloc((size_t)n * sizeof *room);
    const double sum = squares(x, room, n);
    if (room != w->room)
        free(room);
    return sum;
}

static void fill(double *w, const double *x, int n)
{
    if (n < 0)
        return fill(w, x, n + 1);
    for (int i = 0; i < n; i++)
        w[i] = x[i] * x[i];
}

__attribute__((noinline)) static double filled_by_callee(const double *x, work *w, int n)
{
    double few[4], *room = n <= 4 ? few : w->room, sum = 0;
    fill(room, x, n);
    for (int i = 0; i < n; i++)
        sum += room[i] * room[n - 1 - i];
    return sum;
}

__attribute__((noinline)) static double by_rows(const double *x, work *w, int n)
{
    const double *own[3] = {x, x + 1, x + 2}, **rows = n <= 4 ? own : w->rows;
    for (int i = 0; i < 3; i++)
        rows[i] = x + 2 - i;
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += *rows[i] * x[i];
    return sum;
}

__attribute__((noinline)) static double copied(const double *x, work *w, int n)
{
    double few[4], *room = n <= 4 ? few : w->room, sum = 0;
    memcpy(room, x, (size_t)n * sizeof *room);
    for (int i = 0; i < n; i++)
        sum += room[i] * room[n - 1 - i] * x[0];
    return sum;
}

__attribute__((noinline)) static double boxed(const double *x, work *w, int n)
{
    box mine[2] = {{0}}, own = {x, n, {1}}, *boxes = n <= 4 ? mine : w->kept;
    double sum = 0;
    memcpy(&boxes[n % 3 % 2], &own, sizeof own);
    const box *last = &boxes[(n + 3) % 3 % 2];
    for (int i = 0; i < last->length; i++)
        sum += last->data[i] * last->data[last->length - 1 - i] * last->unit[0];
    return sum;
}

/* What goes to constant memory and is not read again is nobody's derivative. */
__attribute__((noinline)) static double reported(const double *x, work *w, int n)
{
    double local[8], *report = n <= 4 ? local : w->room, sum = 0;
    for (int i = 0; i < n; i++) {
        report[i] = x[i] * x[i];
        sum += x[i] * x[i] * x[i];
    }
    return sum;
}

typedef double function(const double *, work *, int);
static function *const functions[] = {given, allocated, filled_by_callee, by_rows, copied, boxed, reported};

#define DERIVATIVES(F)                                                                                                 \
    static void F##_bar(const double *x, double *bar, work *w, int n)                                                  \
    {                                                                                                                  \
        __enzyme_autodiff((void *)F, enzyme_dup, x, bar, enzyme_const, w, enzyme_const, n);                            \
    }                                                                                                                  \
    static double F##_dot(const double *x, double *dot, work *w, int n)                                                \
    {                                                                                                                  \
        return __enzyme_fwddiff((void *)F, enzyme_dup, x, dot, enzyme_const, w, enzyme_const, n);                      \
    }
DERIVATIVES(given)
DERIVATIVES(allocated)
DERIVATIVES(filled_by_callee)
DERIVATIVES(by_rows)
DERIVATIVES(copied)
DERIVATIVES(boxed)
DERIVATIVES(reported)
static void (*const bars[])(const double *, double *, work *, int) = {
    given_bar, allocated_bar, filled_by_callee_bar, by_rows_bar, copied_bar, boxed_bar, reported_bar};
static double (*const dots[])(const double *, double *, work *, int) = {
    given_dot, allocated_dot, filled_by_callee_dot, by_rows_dot, copied_dot, boxed_dot, reported_dot};

static double numbers[5] = {1.5, -0.7, 0.4, 2.0, 0.3}, room[8];

static void check(int which, int n, int length)
{
    const double rows[3] = {1, 2, 3}, h = 1e-6;
    work w = {room, length, {rows, rows, rows}, {{0}}};
    double bar[5] = {0};
    bars[which](numbers, bar, &w, n);
    for (int i = 0; i < n; i++) {
        double up[5], down[5], dot[5] = {0};
        memcpy(up, numbers, sizeof up), memcpy(down, numbers, sizeof down);
        up[i] += h, down[i] -= h, dot[i] = 1;
        const double slope = (functions[which](up, &w, n) - functions[which](down, &w, n)) / (2 * h);
        EXPECT(fabs(bar[i] - slope) < 1e-7, 1);
        EXPECT(fabs(dots[which](numbers, dot, &w, n) - slope) < 1e-7, 1);
    }
}

static void reverse(int which)
{
    const double rows[3] = {1, 2, 3};
    work w = {room, 8, {rows, rows, rows}, {{0}}};
    double bar[5] = {0};
    bars[which](numbers, bar, &w, 5);
}

static void forward(int which)
{
    const double rows[3] = {1, 2, 3};
    work w = {room, 8, {rows, rows, rows}, {{0}}};
    double dot[5] = {1};
    dots[which](numbers, dot, &w, 5);
}

int main(void)
{
    for (int which = 0; which < 7; which++) {
        check(which, 4, 0);
        if (which == 6) {
            check(which, 5, 8);
            continue;
        }
        EXPECT(stops_saying(reverse, which, "stored in memory that is constant"), 1);
        EXPECT(stops_saying(forward, which, "stored in memory that is constant"), 1);
    }
    return expect_failures != 0;
}

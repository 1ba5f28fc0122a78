// check: main
// Structs of which only what is around them tells the members: a member behind an array of other structs, one with the
// same scalars as another struct but other arrays, unions with numbers of two bytes. Where the copied bytes have
// adjoints, the derivative is right or ends with a message.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct { double x; int index[2]; double y; } Item;
typedef struct { double a; float w[2]; double b; } Extra;
typedef struct { Item items[2]; Extra e; } Box;

__attribute__((noinline)) static double behind_array(Box *p, Box *q, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p->items[i].x * q->items[i].y;
    q->e = p->e;
    return s + q->e.a * p->e.b;
}

typedef struct { double x; int i, j; double y; } Counted;
typedef struct { double a; int n; float w; double b; } Weighted;
typedef struct { Counted items[2]; Weighted e; } Boxed;

__attribute__((noinline)) static double words_behind_array(Boxed *p, Boxed *q, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += p->items[i].x * q->items[i].y;
    Weighted kept = p->e;
    kept.a *= 2;
    kept.b *= s;
    q->e = kept;
    return s + q->e.a * p->e.b;
}

struct indexed { double x; int index[4]; double y; };
struct twin { double x; float v[4]; double y; };
static struct indexed *table;

__attribute__((noinline)) static double looked_up(struct indexed *t, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += t[i].x * t[i + 1].index[i & 3];
    return s;
}
__attribute__((noinline)) static double of_twin(struct twin *p, struct twin *q, int n)
{
    *p = *q;
    return p->x * p->x * q->y + looked_up(table, n) * p->x;
}

typedef struct { double x; union { _Float16 h; unsigned short bits; } u; int n; double y; } Small;

__attribute__((noinline)) static double of_small(Small *p, Small *q, int n)
{
    *p = *q;
    return p->x * q->y * n;
}

// The float at `at` is copied from `from` to `to` and not used: with an adjoint at the end of one, it must be found in
// that of the other. 0 where it is, or the run ends with a message.
typedef void Derivative(void *p, void *dp, void *q, void *dq);
#define DERIVATIVE(f)                                                                            \
    static void d_##f(void *p, void *dp, void *q, void *dq)                                      \
    {                                                                                            \
        __enzyme_autodiff((void *)f, enzyme_dup, p, dp, enzyme_dup, q, dq, enzyme_const, 2);     \
    }
DERIVATIVE(behind_array)
DERIVATIVE(words_behind_array)
DERIVATIVE(of_twin)
DERIVATIVE(of_small)

static int copied(Derivative *function, unsigned size, unsigned at, unsigned number, int first_is_source)
{
    int ends[2];
    if (pipe(ends))
        return 1;
    if (!fork()) {
        dup2(ends[1], 2);
        char *p = calloc(1, size), *q = calloc(1, size), *dp = calloc(1, size), *dq = calloc(1, size);
        float one = 1;
        _Float16 half = 1;
        memcpy((first_is_source ? dq : dp) + at, number == 2 ? (void *)&half : &one, number);
        function(p, dp, q, dq);
        _exit(memcmp((first_is_source ? dp : dq) + at, number == 2 ? (void *)&half : &one, number) != 0);
    }
    close(ends[1]);
    char said[500] = "";
    const long count = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    int status;
    wait(&status);
    return !(WIFEXITED(status) && !WEXITSTATUS(status)) && !(count > 0 && strstr(said, "nothing tells what they are"));
}

int main(void)
{
    table = calloc(8, sizeof *table);
    if (copied(d_behind_array, sizeof(Box), 2 * sizeof(Item) + 8, 4, 1))
        return 1;
    if (copied(d_words_behind_array, sizeof(Boxed), 2 * sizeof(Counted) + 12, 4, 1))
        return 2;
    if (copied(d_of_twin, sizeof(struct twin), 8, 4, 0))
        return 3;
    if (copied(d_of_small, sizeof(Small), 8, 2, 0))
        return 4;
    Boxed p = {{{1, 0, 0, 2}, {3, 0, 0, 4}}, {0.5, 1, 1.5f, 0.25}}, q = p, dp, dq;
    memset(&dp, 0, sizeof dp), memset(&dq, 0, sizeof dq);
    dp.e.w = 2;
    __enzyme_fwddiff((void *)words_behind_array, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq, enzyme_const, 2);
    return dq.e.w == 2 ? 0 : 5;
}

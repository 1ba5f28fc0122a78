// check: main
// Arrays of unions of which a function uses the integers, copied as a whole: with lengths that only the run knows, to
// memory that grows, onto themselves; and what is overwritten in them.
#include "elements_check.h"

typedef struct {
    int kind;
    union {
        long n;
        double d;
        float w[2];
    } u;
    double x;
} cell;

volatile int all = 6;

static void start(cell *t)
{
    for (int i = 0; i < 6; i++) {
        t[i].x = 1 + i;
        if (i & 1)
            t[i].u.d = 0.5 + i;
        else {
            t[i].u.w[0] = 0.25f + i;
            t[i].u.w[1] = 1.5f;
        }
    }
}

static double sum_of(cell *t)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += t[i].kind == 9 ? t[i].u.n * t[i].x : t[i].x * t[i].x;
    return sum;
}

// Float pairs at even places, doubles at odd ones.
static void list(cell *t)
{
    for (int i = 0; i < 6; i++) {
        whole(&t[i].x);
        if (i & 1)
            whole(&t[i].u.d);
        else {
            half(&t[i].u.w[0]);
            half(&t[i].u.w[1]);
        }
    }
}

#define SAME(name)                                                                                                     \
    static void name##_start(cell *t) { start(t); }                                                                    \
    static void name##_numbers(cell *t) { list(t); }

static double turned(cell *t)
{
    int n = all;
    cell *kept = malloc(n * sizeof *kept);
    memcpy(kept, t, n * sizeof *kept);
    double sum = sum_of(kept);
    for (int i = 0; i < n; i++)
        t[i] = kept[(i + 2) % n];
    free(kept);
    return sum;
}

SAME(turned)
CHECK(turned, cell, 6)

static double grown(cell *t)
{
    int n = all;
    cell *kept = malloc(sizeof *kept);
    for (int i = 0; i < n; i++) {
        kept = realloc(kept, (i + 1) * sizeof *kept);
        kept[i] = t[i];
    }
    double sum = sum_of(kept);
    for (int i = 0; i < n; i++)
        t[i] = kept[n - 2 + (i & 1) - i / 2 * 2];
    free(kept);
    return sum;
}

SAME(grown)
CHECK(grown, cell, 6)

static double cleared(cell *t)
{
    memset(t, 0, (all - 1) * sizeof *t);
    return sum_of(t);
}

SAME(cleared)
CHECK(cleared, cell, 6)

__attribute__((noinline)) static void assign(cell *to, const cell *from) { *to = *from; }

static double selves(cell *t)
{
    int last = all - 1;
    for (int i = 0; i < 6; i++)
        assign(t + i, t + (i > last ? last : i));
    return sum_of(t);
}

SAME(selves)
CHECK(selves, cell, 6)

int main(void)
{
    int bad = 0;
    for (int copied = 0; copied < 2; copied++)
        bad += check_turned(copied) + check_grown(copied) + check_cleared(copied) + check_selves(copied);
    return bad != 0;
}

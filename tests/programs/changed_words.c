// check: main level=-O2
// Words that hold the bits of a number, as far as anything tells, changed by functions that see integers only: the program
// ends with a message, in both modes, and goes on where they are counts.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))
#define ODD UINT64_C(0x9E3779B97F4A7C15)
#define INVERSE UINT64_C(0xF1DE83E19937733D)

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static volatile int one = 1, eight = 8;

/* A number's bits, or the address of one. */
struct slot {
    int kind;
    uint64_t word;
};

APART static void number(struct slot *s, double d)
{
    s->kind = 0;
    memcpy(&s->word, &d, sizeof d);
}

APART static void address(struct slot *s, const double *p)
{
    s->kind = 1;
    s->word = (uint64_t)p;
}

APART static void twice(struct slot *s)
{
    if (!s->kind)
        s->word += (uint64_t)1 << 52;
}

APART static double get(const struct slot *s)
{
    if (s->kind)
        return *(const double *)s->word;
    double d;
    memcpy(&d, &s->word, sizeof d);
    return d;
}

static double slots(const double *x)
{
    struct slot s[2];
    number(&s[0], *x);
    address(&s[1], x);
    for (int i = 0; i <= one; i++)
        twice(&s[i]);
    return get(&s[0]) * get(&s[1]);
}

/* The same with one object, whose sign is changed. */
APART static void negate(struct slot *s)
{
    s->word ^= (uint64_t)1 << 63;
    s->kind = 0;
}

static double slot(const double *x)
{
    struct slot s, t;
    number(&s, *x);
    address(&t, x);
    negate(&s);
    return get(&s) * get(&t);
}

/* The pointer is declared as one. */
struct cell {
    int kind;
    union {
        uint64_t bits;
        const double *at;
    } as;
};

APART static void put(struct cell *c, const double *p, int kind)
{
    c->kind = kind;
    if (kind)
        c->as.at = p;
    else
        memcpy(&c->as.bits, p, sizeof *p);
}

APART static void twice_in(struct cell *c)
{
    if (!c->kind)
        c->as.bits += (uint64_t)1 << 52;
}

APART static double get_from(const struct cell *c)
{
    if (c->kind)
        return *c->as.at;
    double d;
    memcpy(&d, &c->as.bits, sizeof d);
    return d;
}

static double cells(const double *x)
{
    struct cell c[2];
    for (int i = 0; i <= one; i++)
        put(&c[i], x, i);
    for (int i = 0; i <= one; i++)
        twice_in(&c[i]);
    return get_from(&c[0]) * get_from(&c[1]);
}

/* The second word is a number in one variant, and counts in the other. */
struct variant {
    int kind;
    union {
        double line[2];
        struct {
            const double *at;
            uint64_t count;
        } list;
    } as;
};

APART static void fill(struct variant *v, const double *x, int kind)
{
    v->kind = kind;
    if (kind)
        v->as.list.at = x, v->as.list.count = 0;
    else
        v->as.line[0] = v->as.line[1] = *x;
}

APART static void advance(struct variant *v, uint64_t by, int kind)
{
    uint64_t bits;
    if (v->kind != kind || (kind && !v->as.list.at))
        return;
    memcpy(&bits, &v->as.list.count, 8);
    bits += by;
    memcpy(&v->as.list.count, &bits, 8);
}

APART static double result(const struct variant *v)
{
    return v->kind ? *v->as.list.at * v->as.list.count : v->as.line[0] * v->as.line[1];
}

static double variants(const double *x, uint64_t by, int kind)
{
    struct variant v[2];
    for (int i = 0; i <= one; i++)
        fill(&v[i], x, i);
    for (int i = 0; i <= one; i++)
        advance(&v[i], by, kind);
    return result(&v[0]) * (1 + result(&v[1]));
}

static double counted_variants(const double *x)
{
    return variants(x, 3, 1);
}

static double doubled_variants(const double *x)
{
    return variants(x, (uint64_t)1 << 52, 0);
}

/* Nobody reads the argument as a number. */
APART static void scramble(uint64_t *to, const void *from, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, (const char *)from + 8 * i, 8);
        to[i] = bits * ODD;
    }
}

APART static void restore(void *to, const uint64_t *from, int n)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits = from[i] * INVERSE;
        memcpy((char *)to + 8 * i, &bits, 8);
    }
}

static double scrambled(const void *x)
{
    uint64_t kept[2];
    double y[2];
    scramble(kept, x, one);
    restore(y, kept, one);
    return y[0] * y[0];
}

/* Multiplied bytes (37 * 173 is 1 in a byte), put back beside an integer. */
struct item {
    double value;
    int count;
};

APART static void times(unsigned char *to, const unsigned char *from, int n, unsigned char by)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * by;
}

static double items(const void *x)
{
    struct item y[2] = {{0, 1}, {0, 1}};
    unsigned char buffer[8];
    times(buffer, x, eight, 37);
    times((unsigned char *)y, buffer, eight, 173);
    y[0].count += one;
    return y[0].value * y[0].value * y[0].count;
}

/* Counts that may be numbers as far as anything tells; shadows may be copies. */
struct counts {
    double value;
    uint64_t used;
    uint32_t left;
};

APART static void step(void *counts)
{
    uint64_t used;
    uint32_t left;
    memcpy(&used, (char *)counts + 8, 8);
    memcpy(&left, (char *)counts + 16, 4);
    used += 3;
    left--;
    memcpy((char *)counts + 8, &used, 8);
    memcpy((char *)counts + 16, &left, 4);
}

static double counted(struct counts *c)
{
    step(c);
    return c->value * c->value * c->used * c->left;
}

static int stops(double (*derive)(double *), double *x)
{
    int ends[2], status;
    if (pipe(ends))
        return 0;
    if (!fork()) {
        dup2(ends[1], 2);
        derive(x);
        _exit(0);
    }
    close(ends[1]);
    char said[500] = "";
    const long count = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    wait(&status);
    return count > 0 && WIFSIGNALED(status) && strstr(said, "changed_words.c:") && strstr(said, "bits were changed");
}

#define DERIVATIVES(f)                                                                                                 \
    static double f##_reverse(double *x)                                                                               \
    {                                                                                                                  \
        double x_bar = 0;                                                                                              \
        __enzyme_autodiff((void *)f, enzyme_dup, x, &x_bar);                                                           \
        return x_bar;                                                                                                  \
    }                                                                                                                  \
    static double f##_forward(double *x)                                                                               \
    {                                                                                                                  \
        double x_dot = 1;                                                                                              \
        return __enzyme_fwddiff((void *)f, enzyme_dup, x, &x_dot);                                                     \
    }
DERIVATIVES(slots)
DERIVATIVES(slot)
DERIVATIVES(cells)
DERIVATIVES(scrambled)
DERIVATIVES(items)
DERIVATIVES(doubled_variants)
DERIVATIVES(counted_variants)

int main(void)
{
    double x = 3;
    double (*derive[])(double *) = {slots_reverse,     slots_forward,     slot_reverse,  slot_forward,
                                    cells_reverse,     cells_forward,     items_reverse, items_forward,
                                    scrambled_reverse, scrambled_forward, doubled_variants_reverse,
                                    doubled_variants_forward};
    for (int i = 0; i < 12; i++)
        if (!stops(derive[i], &x)) {
            printf("%d does not stop\n", i);
            return 1;
        }
    if (counted_variants_reverse(&x) != 87 || counted_variants_forward(&x) != 87)
        return 3;
    struct counts c = {3, 4, 6}, c_bar = {0, 4, 6}, c_dot = {1, 4, 6};
    __enzyme_autodiff((void *)counted, enzyme_dup, &c, &c_bar);
    c.used = 4, c.left = 6;
    const double forward = __enzyme_fwddiff((void *)counted, enzyme_dup, &c, &c_dot);
    return !(c_bar.value == 2 * 3 * 7 * 5 && forward == c_bar.value);
}

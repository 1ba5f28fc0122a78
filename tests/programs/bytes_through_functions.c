// check: main
// Bytes of numbers, as far as anything tells, that go through functions and buffers one at a time: tangents move along,
// unless the bytes are changed; an adjoint ends the program with a message, unless it is zero.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline))

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static volatile int eight = 8;

APART static unsigned char get(const void *from, int at)
{
    return ((const unsigned char *)from)[at];
}

APART static void put(void *to, int at, unsigned char byte)
{
    ((unsigned char *)to)[at] = byte;
}

APART static void changed(void *to, const void *from, int n)
{
    for (int i = 0; i < n; i++)
        put(to, i, get(from, i) ^ (unsigned char)(37 * i + 11));
}

static double returned(const void *x)
{
    double y[2] = {0, 0};
    for (int i = 0; i < eight; i++)
        ((unsigned char *)y)[i] = get(x, i);
    return y[0] * y[0];
}

static double passed(const void *x)
{
    double y[2] = {0, 0};
    for (int i = 0; i < eight; i++)
        put(y, i, ((const unsigned char *)x)[i]);
    return y[0] * y[0];
}

static double both(const void *x)
{
    double y[2] = {0, 0};
    for (int i = 0; i < eight; i++)
        put(y, i, get(x, i));
    return y[0] * y[0];
}

static double buffered(const void *x)
{
    double y[2] = {0, 0};
    unsigned char buffer[8];
    for (int i = 0; i < eight; i++)
        buffer[i] = ((const unsigned char *)x)[i];
    for (int i = 0; i < eight; i++)
        ((unsigned char *)y)[i] = buffer[i];
    return y[0] * y[0];
}

static double scrambled(const void *x)
{
    double y[2] = {0, 0};
    unsigned char buffer[8];
    changed(buffer, x, eight);
    changed(y, buffer, eight);
    return y[0] * y[0];
}

/* 37 * 173 is 1 in a byte. */
static double scaled(const void *x)
{
    double y[2] = {0, 0};
    unsigned char buffer[8];
    for (int i = 0; i < eight; i++)
        buffer[i] = get(x, i) * 37;
    for (int i = 0; i < eight; i++)
        put(y, i, buffer[i] * 173);
    return y[0] * y[0];
}

/* What is moved does not matter here. */
static double unused(const void *x)
{
    double y[2] = {0, 0};
    for (int i = 0; i < eight; i++)
        put(y, i, get(x, i));
    return y[0] > 2 ? y[1] + 2 : y[1];
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
    return count > 0 && WIFSIGNALED(status) && strstr(said, "bytes_through_functions.c:") && strstr(said, "byte by byte");
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
DERIVATIVES(returned)
DERIVATIVES(passed)
DERIVATIVES(both)
DERIVATIVES(buffered)
DERIVATIVES(scrambled)
DERIVATIVES(scaled)
DERIVATIVES(unused)

int main(void)
{
    double x = 3;
    double (*moves[])(double *) = {returned_forward, passed_forward, both_forward, buffered_forward};
    for (int i = 0; i < 4; i++)
        if (moves[i](&x) != 6)
            return 1 + i;
    double (*ends[])(double *) = {returned_reverse, passed_reverse,    both_reverse,
                                  buffered_reverse, scrambled_reverse, scrambled_forward, scaled_reverse, scaled_forward};
    for (int i = 0; i < 8; i++)
        if (!stops(ends[i], &x))
            return 11 + i;
    return unused_reverse(&x) == 0 && unused_forward(&x) == 0 ? 0 : 20;
}

// check: main
// Where longjmp comes back to a derivative, the program ends with a message, in both modes; where it is not taken, or its
// frame is outside of the derivative, all is as before.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_out, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static jmp_buf escape;

__attribute__((noinline)) static double checked(double x)
{
    if (x < 1.0)
        longjmp(escape, 128);
    return x * x;
}

static double f(double x)
{
    if (setjmp(escape))
        return x;
    return checked(x - 1.0) * x;
}

__attribute__((noinline)) static double g(double x) { return checked(x) * x; }

static double reverse(double x) { return __enzyme_autodiff((void *)f, enzyme_out, x); }
static double forward(double x) { return __enzyme_fwddiff((void *)f, enzyme_dup, x, 1.0); }

/* Does it end with a message that names this file? */
static int ends(double (*derivative)(double))
{
    int ends[2];
    if (pipe(ends))
        return 0;
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 2);
        close(ends[0]), close(ends[1]);
        _exit(derivative(1.5) > 1e9);
    }
    close(ends[1]);
    static char said[4096];
    size_t size = 0;
    for (ssize_t n; (n = read(ends[0], said + size, sizeof said - 1 - size)) > 0;)
        size += (size_t)n;
    said[size] = 0;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && strstr(said, "long_jumps_taken.c:") && strstr(said, "comes back to a function");
}

/* The frame is the caller's of the derivative. */
static int caught(void)
{
    if (setjmp(escape))
        return 1;
    return __enzyme_autodiff((void *)g, enzyme_out, 0.5) > 1e9;
}

int main(void)
{
    const double right = 2.0 * 1.5 * 2.5 + 1.5 * 1.5; /* of (x - 1)² x at 2.5 */
    if (reverse(2.5) != right || forward(2.5) != right)
        return 1;
    if (!ends(reverse) || !ends(forward))
        return 2;
    return caught() == 1 ? 0 : 3;
}

// check: main level=-O0
// A number goes through a loop over its bytes, at a point where its adjoint is zero and the derivative of that is not: the
// second derivative is right, or the program ends with a message.
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

static void move(float *to, const float *from)
{
    unsigned char bytes[4], copies[4];
    memcpy(bytes, from, 4);
    for (volatile int i = 0; i < 4; i++)
        copies[i] = bytes[i];
    memcpy(to, copies, 4);
}

static double square(const float *s)
{
    float t;
    move(&t, s);
    return (t - 1.5) * (t - 1.5) * s[1];
}

static void gradient(const float *s, float *bar)
{
    memset(bar, 0, 2 * sizeof *bar);
    __enzyme_autodiff((void *)square, enzyme_dup, s, bar);
}

static float forward_over_reverse(void)
{
    float s[2] = {1.5f, 2}, d[2] = {1, 0}, bar[2], d_bar[2] = {0};
    __enzyme_fwddiff((void *)gradient, enzyme_dup, s, d, enzyme_dup, bar, d_bar);
    return d_bar[0];
}

static float reverse_over_reverse(void)
{
    float s[2] = {1.5f, 2}, d[2] = {0, 0}, bar[2], d_bar[2] = {1, 0};
    __enzyme_autodiff((void *)gradient, enzyme_dup, s, d, enzyme_dup, bar, d_bar);
    return d[0];
}

static int check(const char *name, float (*second)(void))
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        _exit(fabsf(second() - 4) > 1e-5f);
    }
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status) ? WTERMSIG(status) == SIGABRT : !WEXITSTATUS(status))
        return 0;
    printf("FAIL: %s is wrong\n", name);
    return 1;
}

int main(void) { return check("forward over reverse", forward_over_reverse) + check("reverse over reverse", reverse_over_reverse); }

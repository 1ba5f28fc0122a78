// check: main
// A number among copied characters with an adjoint that is zero, while the tangent or the adjoint of this adjoint is
// not: the second derivative ends with a message, or is right.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);
extern void __enzyme_fwddiff(void *, ...);

typedef struct { double x; char raw[8]; double y; } S;

__attribute__((noinline)) static void copy(S *p, const S *q) { *p = *q; }
static void f(S *s)
{
    copy(s + 1, s);
    s[0].y *= s[1].x;
}
static void gradient(S *s, S *s_bar) { __enzyme_autodiff((void *)f, enzyme_dup, s, s_bar); }

static double number(const S *s)
{
    double d;
    memcpy(&d, s->raw, sizeof d);
    return d;
}

static int checked(int forward, double seed)
{
    int ends[2];
    if (pipe(ends))
        return 1;
    if (!fork()) {
        dup2(ends[1], 2);
        S s[2], s_bar[2], shadow[2], of_bar[2];
        memset(s, 0, sizeof s), memset(s_bar, 0, sizeof s), memset(shadow, 0, sizeof s), memset(of_bar, 0, sizeof s);
        s[0].x = 1, s[0].y = 2, s_bar[0].y = 0.5, shadow[0].x = 0.25;
        memcpy(of_bar[forward].raw, &seed, sizeof seed);
        if (forward) {
            __enzyme_fwddiff((void *)gradient, enzyme_dup, s, shadow, enzyme_dup, s_bar, of_bar);
            _exit(number(&of_bar[0]) != seed || number(&of_bar[1]) != 0 || of_bar[0].y != 0.5 * 0.25);
        }
        __enzyme_autodiff((void *)gradient, enzyme_dup, s, shadow, enzyme_dup, s_bar, of_bar);
        _exit(number(&of_bar[0]) != seed || number(&of_bar[1]) != seed);
    }
    close(ends[1]);
    char said[500] = "";
    const long count = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    int status;
    wait(&status);
    const int right = WIFEXITED(status) && !WEXITSTATUS(status);
    return seed ? !right && !(count > 0 && strstr(said, "nothing tells what they are")) : !right;
}

int main(void) { return checked(1, 0) | checked(1, 0.75) << 1 | checked(0, 0) << 2 | checked(0, 0.75) << 3; }

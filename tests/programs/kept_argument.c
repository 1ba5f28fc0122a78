// check: main
// A pointer that a global variable keeps may be one to the user's memory, whose shadow only the user knows: a message.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

static const double *first;

static double f(const double *x, int n)
{
    if (!first)
        first = x;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i] * first[i];
    return sum;
}

int main(void)
{
    double x[2] = {1.0, 2.0}, bar[2] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, 2);
    if (bar[0] != 2.0 || bar[1] != 4.0)
        return 1;
    int ends[2];
    if (pipe(ends))
        return 2;
    if (!fork()) {
        dup2(ends[1], 2);
        __enzyme_autodiff((void *)f, enzyme_dup, x, bar, 2);
        _exit(0);
    }
    close(ends[1]);
    char said[500] = "";
    const long count = read(ends[0], said, sizeof said - 1);
    int status;
    wait(&status);
    return !(count > 0 && WIFSIGNALED(status) && strstr(said, "memory that 'first' kept from before this call has no shadow"));
}

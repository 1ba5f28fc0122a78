// check: main
// Memory that a global variable keeps from call to call has no shadow the second time: a message, not a crash.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

static double *work;
static int size;

static double f(const double *x, int n)
{
    if (size < n) {
        work = realloc(work, n * sizeof *work);
        size = n;
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        work[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += work[i] * work[(i + 1) % n];
    return sum;
}

int main(void)
{
    double x[2] = {1.0, 2.0}, bar[2] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, 2);
    if (bar[0] != 16.0 || bar[1] != 8.0) /* f = 2 (x0 x1)^2 */
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
    return !(count > 0 && WIFSIGNALED(status) && strstr(said, "memory that 'work' kept from before this call has no shadow"));
}

// check: main
// Numbers that a function copies byte by byte without ever reading one: tangents move along, adjoints end the program
// with a message, unless they are zero. Characters are moved like that, too.
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup, enzyme_const;
extern void __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

struct named {
    double value;
    char name[8];
};

static double f(const void *x, const char *name, int used)
{
    struct named y[2] = {{1.0, "a"}, {1.0, "b"}};
    volatile int i;
    for (i = 0; i < 8; i++)
        ((char *)&y[0].value)[i] = ((const char *)x)[i];
    for (i = 0; i < 8; i++)
        y[1].name[i] = name[i];
    return used ? y[0].value * y[0].value : y[1].value + y[1].name[0];
}

int main(void)
{
    double x = 3.0, dot = 1.0, bar = 0.0;
    char name[8] = "name", shadow[8] = "";
    if (__enzyme_fwddiff((void *)f, enzyme_dup, &x, &dot, enzyme_dup, name, shadow, 1) != 6.0)
        return 1;
    __enzyme_autodiff((void *)f, enzyme_dup, &x, &bar, enzyme_dup, name, shadow, 0);
    if (bar != 0.0)
        return 2;
    int ends[2];
    if (pipe(ends))
        return 3;
    if (!fork()) {
        dup2(ends[1], 2);
        __enzyme_autodiff((void *)f, enzyme_dup, &x, &bar, enzyme_dup, name, shadow, 1);
        _exit(0);
    }
    close(ends[1]);
    char said[500] = "";
    const long count = read(ends[0], said, sizeof said - 1);
    int status;
    wait(&status);
    return !(count > 0 && WIFSIGNALED(status) && strstr(said, "moved_bytes.c:23:") && strstr(said, "byte by byte"));
}

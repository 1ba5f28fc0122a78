#include <stdio.h>
#include <stdlib.h>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

static double f(double *x, const char *text)
{
    double before = x[0] * x[0];
    char *word = NULL;
    sscanf(text, "%ms %lf", &word, &x[0]);
    free(word);
    return before + x[0];
}

int main(int argc, char **argv)
{
    double x[1] = {2.0}, bar[1] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, argv[argc - 1]);
    return bar[0] > 0.0;
}

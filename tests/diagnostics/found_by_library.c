#include <string.h>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

struct record {
    char name[8];
    double value;
};

__attribute__((noinline)) static double square(const struct record *record)
{
    return record->value * record->value;
}

static double f(const double *x)
{
    struct record records[2] = {{"a", x[0]}, {"b", x[1]}};
    return square(memchr(records, 'b', sizeof records));
}

int main(void)
{
    double x[2] = {2.0, 3.0}, bar[2] = {0.0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar);
    return bar[1] != 6.0;
}

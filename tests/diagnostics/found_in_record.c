// A library function finds the name in a record, by whose address its number is read.
#include <string.h>

extern double __enzyme_autodiff(void *, ...);

struct record {
    char name[8];
    double value;
};

double f(const double *x, int n)
{
    struct record records[4], none = {"", 5};
    memset(records, 0, sizeof records);
    for (int i = 0; i < n; i++) {
        records[i].name[0] = (char)('a' + i);
        records[i].value = x[i] * x[i];
    }
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        const struct record *found = memchr(records[i].name, 'c', 8);
        sum += (found ? found : &none)->value * x[0];
    }
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    double x[4] = {1, 2, 3, 4}, x_bar[4] = {0};
    __enzyme_autodiff((void *)f, x, x_bar, argc);
    return 0;
}

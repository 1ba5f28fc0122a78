// check: array n=6,4
// Addresses of labels in a local array, in a variable, as differences in a table of integers, and compared.
#include <math.h>

// Direct threading: operations are translated into addresses first.
static double direct(const double *x, int n)
{
    const void *code[8];
    double value = 1.0;
    int i;
    for (i = 0; i < n && i < 7; i++)
        code[i] = i % 3 == 0 ? &&scale : i % 3 == 1 ? &&bend : &&shift;
    code[i] = &&stop;
    i = 0;
    goto *code[0];
scale:
    value *= x[i];
    goto *code[++i];
bend:
    value = sin(value) + x[i] * x[i];
    goto *code[++i];
shift:
    value += x[i] * 0.5;
    goto *code[++i];
stop:
    return value;
}

// Differences need no relocation.
static double relative(const double *x, int n)
{
    static const int offsets[] = {&&first - &&first, &&second - &&first, &&third - &&first, &&last - &&first};
    double value = 0.5;
    int at = 0;
    goto *(&&first + offsets[n % 2]);
first:
    value += x[at] * value;
    at++;
    goto *(&&first + offsets[at < n ? 1 + at % 2 : 3]);
second:
    value = value * value + x[at];
    at++;
    goto *(&&first + offsets[at < n ? 2 * (at % 2) : 3]);
third:
    value = exp(-value) * x[at];
    at++;
    goto *(&&first + offsets[at < n ? at % 3 : 3]);
last:
    return value;
}

// Where to go on is told before, as by a subroutine's caller.
static double subroutine(const double *x, int n)
{
    double a = x[0], b = x[n - 1];
    int turns = 0;
    const void *back = &&after_first;
    goto smooth;
after_first:
    b += a * x[1];
    back = &&after_second;
    goto smooth;
after_second:
    if (++turns < n) {
        back = turns % 2 ? &&after_second : &&after_first;
        goto smooth;
    }
    return back == &&after_second ? a * b : a - b;
smooth:
    a = 0.5 * (a + b);
    b = sqrt(a * b + 0.1);
    goto *back;
}

double objective(const double *x, int n)
{
    return direct(x, n) + relative(x, n) * subroutine(x, n);
}

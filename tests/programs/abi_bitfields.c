// check: array n=4
// Bitfields, empty structs and flags beside numbers, passed by value and by pointer.
typedef struct { unsigned kind : 3; unsigned on : 1; int shift : 12; double gain; } Channel;
typedef struct { double offset; unsigned char flags[3]; _Bool inverted; } Filter;

__attribute__((noinline)) static double apply(Channel c, Filter f, double x)
{
    double y = c.on ? c.gain * x + c.shift : x;
    if (f.inverted)
        y = -y;
    return c.kind == 5 ? y * y + f.offset : y + f.flags[1] * f.offset;
}

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        Channel c = {.kind = (unsigned)(i + 4) % 8, .on = i != 2, .shift = i - 2, .gain = x[i] * x[0]};
        Filter f = {x[1], {1, (unsigned char)(i + 2), 3}, i % 2};
        sum += apply(c, f, x[n - 1 - i]);
    }
    return sum;
}

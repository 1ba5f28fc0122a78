// check: array n=6
// Aligned globals and locals in a function that is not inlined, whose accesses become vector instructions.
static _Alignas(16) double pairs[4];
static char odd_size;
static _Alignas(32) double quads[8];

__attribute__((noinline)) static double mixed(const double *x, int k)
{
    _Alignas(32) double local[8];
    for (int i = 0; i < 8; i++)
        local[i] = x[(i + k) % 6] * quads[i];
    for (int i = 0; i < 4; i++)
        pairs[i] = local[i] * local[i + 4] + odd_size;
    for (int i = 0; i < 8; i++)
        quads[i] = local[7 - i] * 0.9;
    return pairs[0] * pairs[1] + pairs[2] * pairs[3];
}

double objective(const double *x, int n)
{
    double sum = 0.0;
    odd_size = 1;
    for (int i = 0; i < 8; i++)
        quads[i] = 0.2 * i + x[0];
    for (int i = 0; i < n; i++)
        sum += mixed(x, i);
    return sum;
}

// check: array n=4
// Bytes that only the caller knows to be numbers, moved as vectors of characters of a number's size.
typedef char bytes __attribute__((vector_size(8), may_alias, aligned(1)));

__attribute__((noinline)) static void copy(char *to, const char *from, long n)
{
    for (long i = 0; i < n; i += 8)
        *(bytes *)(to + i) = *(const bytes *)(from + i);
}

double objective(const double *x, int n)
{
    double work[16], sum = 0.0;
    copy((char *)work, (const char *)x, n * sizeof *x);
    for (int i = 0; i < n; i++)
        sum += work[i] * work[n - 1 - i] + x[i];
    return sum;
}

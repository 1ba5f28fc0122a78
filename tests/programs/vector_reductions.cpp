// check: array n=16 range=0.5:1.5
// Clang's vector types with reductions by builtins, sums with and without a fixed order.
typedef double v8 __attribute__((ext_vector_type(8)));

extern "C" double objective(const double *x, int)
{
    v8 a, b;
    for (int i = 0; i < 8; i++) {
        a[i] = x[i];
        b[i] = x[i + 8];
    }
    double product = 1, sum = 0;
    {
#pragma clang fp reassociate(on)
        for (int i = 0; i < 8; i++)
            sum += a[i] * b[i];
    }
    for (int i = 0; i < 8; i++)
        product *= b[i];
    double top = __builtin_reduce_max(a * b), low = __builtin_reduce_min(a - b);
    v8 c = __builtin_elementwise_max(a, b) * __builtin_elementwise_sqrt(a) + __builtin_elementwise_fma(a, b, a);
    return sum * top - low * product + c[0] * c[7];
}

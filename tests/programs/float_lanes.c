// check: array n=16 real=float
// Eight single-precision lanes: polynomial by Horner's rule, minimum and maximum, a reduction by builtin.
typedef float v8 __attribute__((vector_size(32)));

float objective(const float *x, int n)
{
    v8 a, b;
    for (int i = 0; i < 8; i++) {
        a[i] = x[i];
        b[i] = x[n - 1 - i];
    }
    v8 p = ((a * 0.5f + b) * a - 1.0f) * a + b;
    v8 m = __builtin_elementwise_max(p, b);
    float product = 1.0f;
    for (int i = 0; i < 8; i += 2)
        product *= m[i];
    return product + __builtin_reduce_max(p) * 0.25f + m[3];
}

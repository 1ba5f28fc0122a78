// check: array n=8 range=0.2:0.9
// Functions of whole vectors by clang's builtins, which become LLVM's intrinsics.
typedef double v4 __attribute__((ext_vector_type(4)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef int i4 __attribute__((ext_vector_type(4)));

static double sum(v4 v)
{
    return v[0] + 2 * v[1] - v[2] * v[3];
}

double objective(const double *x, int n)
{
    v4 a = {x[0], x[1], x[2], x[3]}, b = {x[4], x[5], x[6], x[7]};
    double s = 0;
    s += sum(__builtin_elementwise_sin(a) * __builtin_elementwise_cos(b) + __builtin_elementwise_tan(a));
    s += sum(__builtin_elementwise_asin(a) * __builtin_elementwise_acos(b) + __builtin_elementwise_atan(a));
    s += sum(__builtin_elementwise_sinh(a) * __builtin_elementwise_cosh(b) + __builtin_elementwise_tanh(a));
    s += sum(__builtin_elementwise_exp(a) * __builtin_elementwise_exp2(b) + __builtin_elementwise_exp10(a));
    s += sum(__builtin_elementwise_log(a) * __builtin_elementwise_log2(b) + __builtin_elementwise_log10(a));
    s += sum(__builtin_elementwise_pow(a, b) + __builtin_elementwise_atan2(a, b) + __builtin_elementwise_sqrt(b));
    s += sum(__builtin_elementwise_abs(a - b) + __builtin_elementwise_copysign(a, b - a));
    s += sum(__builtin_elementwise_max(a, b) * __builtin_elementwise_min(a, b));
    s += sum(__builtin_elementwise_maximum(a, b) - __builtin_elementwise_minimum(a * a, b));
    s += sum(__builtin_elementwise_fma(a, b, a) * __builtin_elementwise_floor(5 * b));
    s += sum(a * __builtin_elementwise_ceil(3 * a) + b * __builtin_elementwise_trunc(4 * b));
    s += sum(a * __builtin_elementwise_rint(3 * a) + b * __builtin_elementwise_round(4 * b));
    s += sum(a * __builtin_elementwise_roundeven(3 * a) + b * __builtin_elementwise_nearbyint(4 * b));
    s += sum(__builtin_elementwise_canonicalize(a * b) + __builtin_elementwise_fmod(3 * a, b));
    i4 power = {1, -2, n, 0};
    s += sum(__builtin_elementwise_ldexp(a, power));
    f4 c = __builtin_convertvector((i4){1, 2, 3, n}, f4);
    s += sum(a * __builtin_convertvector(__builtin_elementwise_sqrt(c), v4));
    return s;
}

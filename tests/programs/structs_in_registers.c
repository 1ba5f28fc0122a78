// check: array n=4 real=float
// Structs of integers and floats by value, to and from functions that stay calls: the ABI packs them into integers.
#define KIND(NAME, MEMBERS, FILL, MORE)                                                              \
  typedef struct {                                                                                   \
    MEMBERS                                                                                          \
  } NAME;                                                                                            \
  __attribute__((noinline)) static NAME made_##NAME(const float *x, int n) {                         \
    NAME b = {0};                                                                                    \
    b.n = n;                                                                                         \
    for (int i = 0; i < n; i++) b.peak += x[i] * x[i];                                               \
    FILL;                                                                                            \
    return b;                                                                                        \
  }                                                                                                  \
  __attribute__((noinline)) static NAME run_##NAME(const float *x, NAME in) {                        \
    NAME out = made_##NAME(x, in.n);                                                                 \
    out.peak += 0.1f * in.peak;                                                                      \
    return out;                                                                                      \
  }                                                                                                  \
  __attribute__((noinline)) static float get_##NAME(NAME b) { return b.peak * (b.n + 1) + (MORE); }  \
  static float use_##NAME(const float *x, int n) {                                                   \
    NAME in = made_##NAME(x, n), kept[3];                                                            \
    float sum = get_##NAME(run_##NAME(x, in));                                                       \
    for (int p = 0; p < 3; p++) kept[p] = p ? run_##NAME(x, kept[p - 1]) : in;                       \
    if (n > 3) in = run_##NAME(x, in);                                                               \
    for (int p = 0; p < 2; p++) in = run_##NAME(x, in);                                              \
    return sum + get_##NAME(kept[2]) * get_##NAME(in);                                               \
  }

KIND(count_first, int n; float peak;, (void)0, 0)
KIND(count_last, float peak; int n;, (void)0, 0)
KIND(short_first, short n; float peak;, (void)0, 0)
KIND(three, int n; float peak; float more;, b.more = x[1] * b.peak, b.more * b.more)
KIND(between, float more; int n; float peak;, b.more = x[1] * b.peak, b.more * b.more)
KIND(not_read, float more; int n; float peak;, b.more = x[1] * b.peak, 0)
KIND(pointed, const float *p; int n; float peak;, b.p = x, b.p[1] * b.p[2])
KIND(beside_double, double d; int n; float peak;, b.d = x[0], (float)(b.d * b.d))
KIND(two_counts, int n; int m; float peak;, b.m = 2, b.m)

float objective(const float *x, int n) {
  float sum = use_count_first(x, n) + use_count_last(x, n) + use_short_first(x, n) + use_three(x, n);
  sum += use_between(x, n) + use_not_read(x, n) + use_pointed(x, n) + use_beside_double(x, n) + use_two_counts(x, n);
  return 0.01f * sum;
}

// Functions of numbers that flang leaves to its library, in terms of libm's, whose derivatives are known; and numbers
// that come from elsewhere (random numbers, input), element by element.
#include "descriptor.h"
#include <float.h>
#include <math.h>

#define NUMERIC(T, KIND, s, MANTISSA, SMALLEST, TINY)                                                                 \
  T enzyme_fortran_ModReal##KIND(T x, T y, const char *file, int line) { return fmod##s(x, y); }                     \
  T enzyme_fortran_ModuloReal##KIND(T x, T y, const char *file, int line) {                                          \
    T r = fmod##s(x, y);                                                                                              \
    if (r == 0)                                                                                                       \
      return copysign##s(r, y);                                                                                       \
    return (r < 0) == (y < 0) ? r : r + y;                                                                            \
  }                                                                                                                   \
  T enzyme_fortran_Fraction##KIND(T x) {                                                                              \
    int exponent;                                                                                                     \
    return frexp##s(x, &exponent);                                                                                    \
  }                                                                                                                   \
  T enzyme_fortran_Scale##KIND(T x, int64_t n) { return scalbln##s(x, n); }                                          \
  T enzyme_fortran_SetExponent##KIND(T x, int64_t n) {                                                                \
    int exponent;                                                                                                     \
    return x == 0 ? x : scalbln##s(frexp##s(x, &exponent), n);                                                        \
  }                                                                                                                   \
  T enzyme_fortran_Nearest##KIND(T x, bool up) { return nextafter##s(x, up ? HUGE_VAL : -HUGE_VAL); }                \
  T enzyme_fortran_Spacing##KIND(T x) {                                                                               \
    if (x == 0)                                                                                                       \
      return TINY;                                                                                                    \
    int exponent = ilogb##s(x) + 1 - MANTISSA;                                                                        \
    return ldexp##s(1, exponent < SMALLEST ? SMALLEST : exponent);                                                    \
  }                                                                                                                   \
  T enzyme_fortran_RRSpacing##KIND(T x) { return x == 0 ? 0 : fabs##s(ldexp##s(x, MANTISSA - 1 - ilogb##s(x))); }    \
  T enzyme_fortran_FPow##KIND##i(T x, int32_t n) { return __builtin_powi##s(x, n); }                                 \
  T enzyme_fortran_FPow##KIND##k(T x, int64_t n) {                                                                    \
    T result = 1, factor = n < 0 ? 1 / x : x;                                                                         \
    for (uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n; rest; rest >>= 1) {                                      \
      if (rest & 1)                                                                                                   \
        result *= factor;                                                                                             \
      factor *= factor;                                                                                               \
    }                                                                                                                 \
    return result;                                                                                                    \
  }                                                                                                                   \
  /* exp(x*x)*erfc(x), where the rounding error of x*x matters; from 25 on the asymptotic series. */                  \
  T enzyme_fortran_ErfcScaled##KIND(T x) {                                                                            \
    if (x < 25) {                                                                                                     \
      T high = (T)(int)(x * 16) / 16;                                                                                 \
      return exp##s(high * high) * (exp##s((x - high) * (x + high)) * erfc##s(x));                                    \
    }                                                                                                                 \
    T u = 1 / (2 * x * x), sum = 1;                                                                                   \
    for (int k = 9; k > 0; --k)                                                                                       \
      sum = 1 - (2 * k - 1) * u * sum;                                                                                \
    return (T)0.564189583547756286948079451560772586L / x * sum;                                                      \
  }
NUMERIC(float, 4, f, FLT_MANT_DIG, -149, FLT_MIN)
NUMERIC(double, 8, , DBL_MANT_DIG, -1074, DBL_MIN)
NUMERIC(long double, 10, l, LDBL_MANT_DIG, -16445, LDBL_MIN)

#define COMPLEX_POWER(NAME, Z, N)                                                                                     \
  Z enzyme_fortran_##NAME(Z z, N n) {                                                                                 \
    Z result = 1, factor = n < 0 ? 1 / z : z;                                                                         \
    for (uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n; rest; rest >>= 1) {                                      \
      if (rest & 1)                                                                                                   \
        result *= factor;                                                                                             \
      factor *= factor;                                                                                               \
    }                                                                                                                 \
    return result;                                                                                                    \
  }
COMPLEX_POWER(cpowi, float _Complex, int32_t)
COMPLEX_POWER(cpowk, float _Complex, int64_t)
COMPLEX_POWER(zpowi, double _Complex, int32_t)
COMPLEX_POWER(zpowk, double _Complex, int64_t)

// BESSEL_JN and BESSEL_YN of several orders, by recurrence from the two that compiled code gives: downwards and upwards,
// as each is stable. At 0 the calls are given x besides (see `fortran.bessel`); the library has a NaN for 0.
#define BESSEL_LINE(T, KIND)                                                                                          \
  static T *line_##KIND(Descriptor *result, int32_t n1, int32_t n2) {                                                \
    result->element_bytes = sizeof(T);                                                                                \
    result->version = VERSION;                                                                                        \
    result->rank = 1;                                                                                                 \
    result->type = REAL##KIND;                                                                                        \
    result->attribute = ALLOCATABLE;                                                                                  \
    result->extra = 0;                                                                                                \
    set_extent(result, 0, n2 < n1 ? 0 : (int64_t)n2 - n1 + 1);                                                        \
    allocate(result);                                                                                                 \
    return (T *)result->base;                                                                                         \
  }
#define BESSEL(T, KIND, s)                                                                                            \
  T jn##s(int n, T x), yn##s(int n, T x); /* of POSIX, not of C */                                                    \
  BESSEL_LINE(T, KIND)                                                                                                \
  void enzyme_fortran_BesselJn_##KIND(Descriptor *result, int32_t n1, int32_t n2, T x, T last, T before,             \
                                      const char *file, int line) {                                                   \
    T *values = line_##KIND(result, n1, n2);                                                                          \
    int64_t n = result->dim[0].extent;                                                                                \
    if (n > 0)                                                                                                        \
      values[n - 1] = last;                                                                                           \
    if (n > 1)                                                                                                        \
      values[n - 2] = before;                                                                                         \
    for (int64_t i = n - 3; i >= 0; --i)                                                                              \
      values[i] = 2 / x * (T)(n1 + i + 1) * values[i + 1] - values[i + 2];                                            \
  }                                                                                                                   \
  void enzyme_fortran_BesselYn_##KIND(Descriptor *result, int32_t n1, int32_t n2, T x, T first, T second,            \
                                      const char *file, int line) {                                                   \
    T *values = line_##KIND(result, n1, n2);                                                                          \
    int64_t n = result->dim[0].extent;                                                                                \
    if (n > 0)                                                                                                        \
      values[0] = first;                                                                                              \
    if (n > 1)                                                                                                        \
      values[1] = second;                                                                                             \
    for (int64_t i = 2; i < n; ++i)                                                                                   \
      values[i] = 2 / x * (T)(n1 + i - 1) * values[i - 1] - values[i - 2];                                            \
  }                                                                                                                   \
  void enzyme_fortran_BesselJnX0_##KIND##At(Descriptor *result, int32_t n1, int32_t n2, const char *file, int line,  \
                                            T x) {                                                                    \
    T *values = line_##KIND(result, n1, n2);                                                                          \
    int64_t n = result->dim[0].extent;                                                                                \
    for (int64_t i = 0; i < n; ++i)                                                                                   \
      values[i] = x == 0 ? jn##s((int)(n1 + i), x) + 0 : n1 + i == 0;                                                     \
  }                                                                                                                   \
  void enzyme_fortran_BesselYnX0_##KIND##At(Descriptor *result, int32_t n1, int32_t n2, const char *file, int line,  \
                                            T x) {                                                                    \
    T *values = line_##KIND(result, n1, n2);                                                                          \
    int64_t n = result->dim[0].extent;                                                                                \
    for (int64_t i = 0; i < n; ++i)                                                                                   \
      values[i] = x == 0 ? yn##s((int)(n1 + i), x) : -(T)HUGE_VAL;                                                    \
  }
BESSEL(float, 4, f)
BESSEL(double, 8, )
BESSEL(long double, 10, l)

typedef struct {
  char *base;
  size_t element_bytes;
  int32_t version;
  uint8_t rank;
  int8_t type;
  uint8_t attribute, extra;
} ScalarDescriptor;

void _FortranARandomNumber(const ScalarDescriptor *harvest, const char *file, int line);

#define HARVEST(T, TYPE)                                                                                              \
  static void harvest_##T(const Descriptor *d, const char *file, int line) {                                         \
    int64_t n = elements(d);                                                                                          \
    volatile T value;                                                                                                 \
    ScalarDescriptor one = {(char *)&value, sizeof(T), VERSION, 0, TYPE, 0, 0};                                       \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      _FortranARandomNumber(&one, file, line);                                                                        \
      ELEMENT(T, d, i) = value;                                                                                       \
    }                                                                                                                 \
  }
HARVEST(float, REAL4)
HARVEST(double, REAL8)
typedef long double LongDouble;
HARVEST(LongDouble, REAL10)

BY_TYPE void enzyme_fortran_RandomNumber(const Descriptor *harvest, const char *file, int line) {
  switch (harvest->type) {
  case REAL4: harvest_float(harvest, file, line); break;
  case REAL8: harvest_double(harvest, file, line); break;
  default: harvest_LongDouble(harvest, file, line); break;
  }
}

// The seconds of the user, of the system and of both, which the library has in single precision only.
typedef struct {
  ScalarDescriptor of_all;
  Dimension dim[1];
} LineDescriptor;

void _FortranAEtime(const LineDescriptor *values, const ScalarDescriptor *time, const char *file, int line);

void enzyme_fortran_Etime(const Descriptor *values, const Descriptor *time, const char *file, int line) {
  volatile float parts[2], whole;
  LineDescriptor two = {{(char *)parts, sizeof(float), VERSION, 1, REAL4, 0, 0}, {{1, 2, sizeof(float)}}};
  ScalarDescriptor one = {(char *)&whole, sizeof(float), VERSION, 0, REAL4, 0, 0};
  require((!values || values->type == REAL4) && (!time || time->type == REAL4), "ETIME gives numbers of kind 4");
  _FortranAEtime(&two, &one, file, line);
  if (values)
    for (int64_t i = 0; i < 2 && i < values->dim[0].extent; ++i)
      ELEMENT(float, values, i) = parts[i];
  if (time)
    ELEMENT(float, time, 0) = whole;
}

bool _FortranAioInputDescriptor(void *cookie, const void *d);

// Element by element into a number of its own, for text and for files of bytes alike. What the input leaves out
// (`1,,3`) keeps its value, as what it does not reach; a number that no input has tells so.
#define LEFT_OUT (-0x1.234567p-120)
#define INPUT(NAME, T, PARTS, TYPE)                                                                                   \
  static bool input_##NAME(void *cookie, const Descriptor *d) {                                                      \
    int64_t n = elements(d);                                                                                          \
    volatile T value[PARTS];                                                                                          \
    ScalarDescriptor one = {(char *)value, sizeof value, VERSION, 0, TYPE, 0, 0};                                    \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      for (int part = 0; part < PARTS; ++part)                                                                        \
        value[part] = LEFT_OUT;                                                                                       \
      bool read = _FortranAioInputDescriptor(cookie, &one);                                                          \
      for (int part = 0; part < PARTS; ++part)                                                                        \
        if (value[part] != (T)LEFT_OUT)                                                                               \
          (&ELEMENT(T, d, i))[part] = value[part];                                                                    \
      if (!read)                                                                                                      \
        return false;                                                                                                 \
    }                                                                                                                 \
    return true;                                                                                                      \
  }
INPUT(real4, float, 1, REAL4)
INPUT(real8, double, 1, REAL8)
INPUT(complex4, float, 2, COMPLEX4)
INPUT(complex8, double, 2, COMPLEX8)

BY_TYPE bool enzyme_fortran_ioInputDescriptor(void *cookie, const Descriptor *d) {
  switch (d->type) {
  case REAL4: return input_real4(cookie, d);
  case REAL8: return input_real8(cookie, d);
  case COMPLEX4: return input_complex4(cookie, d);
  case COMPLEX8: return input_complex8(cookie, d);
  default: return _FortranAioInputDescriptor(cookie, d);
  }
}

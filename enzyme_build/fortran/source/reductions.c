// SUM, PRODUCT, MAXVAL, MINVAL, NORM2, DOT_PRODUCT, REDUCE: of whole arrays, and along a dimension.
// Sums add in array element order, as the loops that flang itself writes do when it optimises.
#include "elements.h"
#include "lines.h"
#include <float.h>
#include <math.h>

#define LOWEST(T)                                                                                                     \
  _Generic((T)0, float: -FLT_MAX, double: -DBL_MAX, long double: -LDBL_MAX, int8_t: INT8_MIN, int16_t: INT16_MIN,    \
           int32_t: INT32_MIN, int64_t: INT64_MIN)
#define HIGHEST(T)                                                                                                    \
  _Generic((T)0, float: FLT_MAX, double: DBL_MAX, long double: LDBL_MAX, int8_t: INT8_MAX, int16_t: INT16_MAX,       \
           int32_t: INT32_MAX, int64_t: INT64_MAX)
#define ZERO(T) ((T)0)
#define ONE(T) ((T)1)
#define PLUS(a, b) ((a) + (b))
#define TIMES(a, b) ((a) * (b))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))
#define LESS(a, b) ((b) < (a) ? (b) : (a))

#define REDUCE(T, NAME, START, STEP)                                                                                  \
  T enzyme_fortran_##NAME##T(const Descriptor *x, const char *file, int line, int dim, const Descriptor *mask) {           \
    int64_t n = elements(x);                                                                                          \
    T result = START(T);                                                                                              \
    if (mask && mask->rank == 0 && !truth(mask, 0))                                                                   \
      return result;                                                                                                  \
    if (mask && mask->rank != 0) {                                                                                    \
      for (int64_t i = 0; i < n; ++i)                                                                                 \
        if (truth(mask, i))                                                                                           \
          result = STEP(result, ELEMENT(T, x, i));                                                                    \
    } else if (contiguous(x)) {                                                                                       \
      const T *values = (const T *)x->base;                                                                           \
      for (int64_t i = 0; i < n; ++i)                                                                                 \
        result = STEP(result, values[i]);                                                                             \
    } else {                                                                                                          \
      for (int64_t i = 0; i < n; ++i)                                                                                 \
        result = STEP(result, ELEMENT(T, x, i));                                                                      \
    }                                                                                                                 \
    return result;                                                                                                    \
  }
REALS(REDUCE, Sum, ZERO, PLUS)
REALS(REDUCE, Product, ONE, TIMES)
REALS(REDUCE, Maxval, LOWEST, GREATER)
REALS(REDUCE, Minval, HIGHEST, LESS)

#define PLUS_COMPLEX(r, x) (r).re += (x).re, (r).im += (x).im
#define TIMES_COMPLEX(r, x)                                                                                           \
  do {                                                                                                                \
    __typeof__(r.re) re = (r).re * (x).re - (r).im * (x).im;                                                          \
    (r).im = (r).re * (x).im + (r).im * (x).re;                                                                       \
    (r).re = re;                                                                                                      \
  } while (0)
#define REDUCE_COMPLEX(T, NAME, START, STEP)                                                                          \
  void enzyme_fortran_Cpp##NAME##T(T *result, const Descriptor *x, const char *file, int line, int dim,                    \
                             const Descriptor *mask) {                                                                \
    int64_t n = elements(x);                                                                                          \
    T sum = {START, 0};                                                                                               \
    if (!(mask && mask->rank == 0 && !truth(mask, 0)))                                                                \
      for (int64_t i = 0; i < n; ++i)                                                                                 \
        if (mask == NULL || mask->rank == 0 || truth(mask, i))                                                        \
          STEP(sum, ELEMENT(T, x, i));                                                                                \
    *result = sum;                                                                                                    \
  }
#define COMPLEXES(DO, ...) DO(Complex4, __VA_ARGS__) DO(Complex8, __VA_ARGS__) DO(Complex10, __VA_ARGS__)
COMPLEXES(REDUCE_COMPLEX, Sum, 0, PLUS_COMPLEX)
COMPLEXES(REDUCE_COMPLEX, Product, 1, TIMES_COMPLEX)

// Along dimension `dim`: the result has the other dimensions.

INLINE void make_result(Descriptor *result, const Descriptor *x, int dim) {
  establish(result, x, x->rank - 1);
  for (int j = 0, k = 0; j < x->rank; ++j)
    if (j != dim - 1)
      set_extent(result, k++, x->dim[j].extent);
  allocate(result);
}

#define REDUCE_LINES(T, NAME, START, STEP)                                                                            \
  static void lines_##NAME##T(Descriptor *result, const Descriptor *x, int dim, const Descriptor *mask) {            \
    int64_t n = elements(result);                                                                                     \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      Line line = line_of(x, dim, i, mask);                                                                           \
      T value = START(T);                                                                                             \
      for (int64_t k = 0; k < line.n; ++k)                                                                            \
        if (taken(&line, k))                                                                                          \
          value = STEP(value, *(const T *)(line.base + k * line.stride));                                             \
      ((T *)result->base)[i] = value;                                                                                 \
    }                                                                                                                 \
  }
#define LINES(NAME, START, STEP)                                                                                      \
  NUMBERS(REDUCE_LINES, NAME, START, STEP)                                                                            \
  BY_TYPE void enzyme_fortran_##NAME##Dim(Descriptor *result, const Descriptor *x, int dim, const char *file, int line,    \
                                    const Descriptor *mask) {                                                         \
    ElementType type = element_type(x);                                                                               \
    make_result(result, x, dim);                                                                                      \
    switch (type.code) {                                                                                                \
    case REAL4: lines_##NAME##Real4(result, x, dim, mask); break;                                                     \
    case REAL8: lines_##NAME##Real8(result, x, dim, mask); break;                                                     \
    case REAL10: case REAL10_C: lines_##NAME##Real10(result, x, dim, mask); break;                                    \
    case REAL16: case COMPLEX4: case COMPLEX8: case COMPLEX10: case COMPLEX10_C: case COMPLEX16: case CHARACTER1:     \
    case CHARACTER2: case CHARACTER4:                                                                                 \
      _FortranAReportFatalUserError("not for this type, when derivatives are built in", file, line);                  \
    default:                                                                                                          \
      switch (type.bytes) {                                                                                        \
      case 1: lines_##NAME##Integer1(result, x, dim, mask); break;                                                    \
      case 2: lines_##NAME##Integer2(result, x, dim, mask); break;                                                    \
      case 4: lines_##NAME##Integer4(result, x, dim, mask); break;                                                    \
      default: lines_##NAME##Integer8(result, x, dim, mask); break;                                                   \
      }                                                                                                               \
    }                                                                                                                 \
  }
LINES(Sum, ZERO, PLUS)
LINES(Product, ONE, TIMES)
LINES(Maxval, LOWEST, GREATER)
LINES(Minval, HIGHEST, LESS)

// Scaled by a power of two where squares would leave the range of T.
#define NORM2(T, KIND, SQRT, FABS, LDEXP, ILOGB, SMALL, LARGE)                                                        \
  T enzyme_fortran_Norm2_##KIND(const Descriptor *x, const char *file, int line, int dim) {                                \
    int64_t n = elements(x);                                                                                          \
    T largest = 0, sum = 0;                                                                                           \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      T size = FABS(ELEMENT(T, x, i));                                                                                \
      largest = size > largest ? size : largest;                                                                      \
    }                                                                                                                 \
    if (largest == 0)                                                                                                 \
      return 0;                                                                                                       \
    int shift = largest > SMALL && largest < LARGE ? 0 : ILOGB(largest);                                              \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      T value = shift ? LDEXP(ELEMENT(T, x, i), -shift) : ELEMENT(T, x, i);                                           \
      sum += value * value;                                                                                           \
    }                                                                                                                 \
    return shift ? LDEXP(SQRT(sum), shift) : SQRT(sum);                                                               \
  }
NORM2(float, 4, sqrtf, fabsf, ldexpf, ilogbf, 1e-15f, 1e15f)
NORM2(double, 8, sqrt, fabs, ldexp, ilogb, 1e-130, 1e130)
NORM2(long double, 10, sqrtl, fabsl, ldexpl, ilogbl, 1e-2000L, 1e2000L)

// The arrays may be of other types than the product: each element is converted. Where a type is not known when this is
// compiled, it must be that of the product, since memory has to be of one type.
#define IS_Real4(code) ((code) == REAL4)
#define IS_Real8(code) ((code) == REAL8)
#define IS_Real10(code) ((code) == REAL10 || (code) == REAL10_C)
#define IS_Complex4(code) ((code) == COMPLEX4)
#define IS_Complex8(code) ((code) == COMPLEX8)
#define IS_Complex10(code) ((code) == COMPLEX10 || (code) == COMPLEX10_C)
#define OTHER_TYPE "DOT_PRODUCT of arrays of different types: convert one, or compile with optimisation"

#define CONVERTED(T, ...)                                                                                                \
  INLINE T converted_##T(const Descriptor *d, int64_t i, ElementType type) {                                          \
    const char *at = d->base + offset_of(d, i);                                                                       \
    switch (type.code) {                                                                                              \
    case REAL4: return (T)*(const float *)at;                                                                         \
    case REAL8: return (T)*(const double *)at;                                                                        \
    case REAL10: case REAL10_C: return (T)*(const long double *)at;                                                   \
    default: return (T)integer(d, i);                                                                                 \
    }                                                                                                                 \
  }
REALS(CONVERTED, )

#define DOT(T, ...)                                                                                                   \
  BY_TYPE T enzyme_fortran_DotProduct##T(const Descriptor *x, const Descriptor *y, const char *file, int line) {           \
    int64_t n = x->dim[0].extent;                                                                                     \
    ElementType of_x = element_type(x), of_y = element_type(y);                                                       \
    bool other_x = KNOWN(of_x.code) && !IS_##T(of_x.code), other_y = KNOWN(of_y.code) && !IS_##T(of_y.code);          \
    require((other_x || IS_##T(of_x.code)) && (other_y || IS_##T(of_y.code)), OTHER_TYPE);                            \
    T sum = 0;                                                                                                        \
    for (int64_t i = 0; i < n; ++i)                                                                                   \
      sum += (other_x ? converted_##T(x, i, of_x) : ELEMENT(T, x, i)) *                                               \
             (other_y ? converted_##T(y, i, of_y) : ELEMENT(T, y, i));                                                \
    return sum;                                                                                                       \
  }
REALS(DOT, )

#define CONVERTED_COMPLEX(T, PART)                                                                                    \
  INLINE T converted_##T(const Descriptor *d, int64_t i, ElementType type) {                                          \
    const char *at = d->base + offset_of(d, i);                                                                       \
    T result = {0, 0};                                                                                                \
    switch (type.code) {                                                                                              \
    case COMPLEX4:                                                                                                    \
      result.re = ((const Complex4 *)at)->re, result.im = ((const Complex4 *)at)->im;                                 \
      break;                                                                                                          \
    case COMPLEX8:                                                                                                    \
      result.re = ((const Complex8 *)at)->re, result.im = ((const Complex8 *)at)->im;                                 \
      break;                                                                                                          \
    case COMPLEX10: case COMPLEX10_C:                                                                                 \
      result.re = ((const Complex10 *)at)->re, result.im = ((const Complex10 *)at)->im;                               \
      break;                                                                                                          \
    default: result.re = converted_##PART(d, i, type);                                                                \
    }                                                                                                                 \
    return result;                                                                                                    \
  }
CONVERTED_COMPLEX(Complex4, Real4)
CONVERTED_COMPLEX(Complex8, Real8)
CONVERTED_COMPLEX(Complex10, Real10)

#define DOT_COMPLEX(T, ...)                                                                                           \
  BY_TYPE void enzyme_fortran_CppDotProduct##T(T *result, const Descriptor *x, const Descriptor *y, const char *file,      \
                                               int line) {                                                            \
    int64_t n = x->dim[0].extent;                                                                                     \
    ElementType of_x = element_type(x), of_y = element_type(y);                                                       \
    bool other_x = KNOWN(of_x.code) && !IS_##T(of_x.code), other_y = KNOWN(of_y.code) && !IS_##T(of_y.code);          \
    require((other_x || IS_##T(of_x.code)) && (other_y || IS_##T(of_y.code)), OTHER_TYPE);                            \
    T sum = {0, 0};                                                                                                   \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      T a = other_x ? converted_##T(x, i, of_x) : ELEMENT(T, x, i);                                                   \
      T b = other_y ? converted_##T(y, i, of_y) : ELEMENT(T, y, i);                                                   \
      sum.re += a.re * b.re + a.im * b.im;                                                                            \
      sum.im += a.re * b.im - a.im * b.re;                                                                            \
    }                                                                                                                 \
    *result = sum;                                                                                                    \
  }
COMPLEXES(DOT_COMPLEX, )

// Along a dimension, of numbers that need no scaling: like the library's, up to the order of operations.
#define NORM2_LINES(T, SQRT)                                                                                          \
  static void lines_Norm2##T(Descriptor *result, const Descriptor *x, int dim) {                                      \
    int64_t n = elements(result);                                                                                     \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      Line line = line_of(x, dim, i, NULL);                                                                           \
      T largest = 0, sum = 0;                                                                                         \
      for (int64_t k = 0; k < line.n; ++k) {                                                                          \
        T size = *(const T *)(line.base + k * line.stride);                                                           \
        size = size < 0 ? -size : size;                                                                               \
        largest = size > largest ? size : largest;                                                                    \
      }                                                                                                               \
      for (int64_t k = 0; k < line.n && largest > 0; ++k) {                                                           \
        T value = *(const T *)(line.base + k * line.stride) / largest;                                                \
        sum += value * value;                                                                                         \
      }                                                                                                               \
      ((T *)result->base)[i] = largest > 0 ? largest * SQRT(sum) : 0;                                                 \
    }                                                                                                                 \
  }
NORM2_LINES(Real4, sqrtf)
NORM2_LINES(Real8, sqrt)
NORM2_LINES(Real10, sqrtl)

BY_TYPE void enzyme_fortran_Norm2Dim(Descriptor *result, const Descriptor *x, int dim, const char *file, int line) {
  ElementType type = element_type(x);
  make_result(result, x, dim);
  switch (type.code) {
  case REAL4: lines_Norm2Real4(result, x, dim); break;
  case REAL8: lines_Norm2Real8(result, x, dim); break;
  default: lines_Norm2Real10(result, x, dim); break;
  }
}

// REDUCE of a whole array by a procedure of the program, which takes its operands by reference or by value.
#define REDUCE_BY(T, BY, ARGUMENT, GIVE)                                                                              \
  T enzyme_fortran_Reduce##T##BY(const Descriptor *x, T (*operation)(ARGUMENT, ARGUMENT), const char *file, int line, \
                                 int dim, const Descriptor *mask, const T *identity, bool ordered) {                  \
    int64_t n = elements(x);                                                                                          \
    bool any = false;                                                                                                 \
    T result = 0;                                                                                                     \
    if (!(mask && mask->rank == 0 && !truth(mask, 0)))                                                                \
      for (int64_t i = 0; i < n; ++i)                                                                                 \
        if (mask == NULL || mask->rank == 0 || truth(mask, i)) {                                                      \
          T value = ELEMENT(T, x, i);                                                                                 \
          result = any ? operation(GIVE(result), GIVE(value)) : value;                                                \
          any = true;                                                                                                 \
        }                                                                                                             \
    if (!any && identity)                                                                                             \
      return *identity;                                                                                               \
    require(any, "REDUCE of nothing without an identity");                                                            \
    return result;                                                                                                    \
  }
#define BY_ADDRESS(x) (&(x))
#define BY_ITSELF(x) (x)
REDUCE_BY(Real4, Ref, const Real4 *, BY_ADDRESS)
REDUCE_BY(Real8, Ref, const Real8 *, BY_ADDRESS)
REDUCE_BY(Real4, Value, Real4, BY_ITSELF)
REDUCE_BY(Real8, Value, Real8, BY_ITSELF)

// The same along a dimension.
#define REDUCE_LINES_BY(T, BY, ARGUMENT, GIVE)                                                                        \
  void enzyme_fortran_Reduce##T##Dim##BY(Descriptor *result, const Descriptor *x, T (*operation)(ARGUMENT, ARGUMENT), \
                                         const char *file, int source_line, int dim, const Descriptor *mask,          \
                                         const T *identity, bool ordered) {                                           \
    make_result(result, x, dim);                                                                                      \
    int64_t n = elements(result);                                                                                     \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      Line line = line_of(x, dim, i, mask);                                                                           \
      bool any = false;                                                                                               \
      T sum = 0;                                                                                                      \
      for (int64_t k = 0; k < line.n; ++k)                                                                            \
        if (taken(&line, k)) {                                                                                        \
          T value = *(const T *)(line.base + k * line.stride);                                                        \
          sum = any ? operation(GIVE(sum), GIVE(value)) : value;                                                      \
          any = true;                                                                                                 \
        }                                                                                                             \
      require(any || identity, "REDUCE of nothing without an identity");                                              \
      ((T *)result->base)[i] = any ? sum : *identity;                                                                 \
    }                                                                                                                 \
  }
REDUCE_LINES_BY(Real4, Ref, const Real4 *, BY_ADDRESS)
REDUCE_LINES_BY(Real8, Ref, const Real8 *, BY_ADDRESS)
REDUCE_LINES_BY(Real4, Value, Real4, BY_ITSELF)
REDUCE_LINES_BY(Real8, Value, Real8, BY_ITSELF)

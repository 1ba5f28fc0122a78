// MAXLOC, MINLOC, FINDLOC, and COUNT, ANY, ALL, PARITY along a dimension: places and numbers of elements.
// Places count from 1; zeros where nothing is taken; with `back` the last of equal ones.
#include "lines.h"

INLINE void put_integer(char *at, int kind, int64_t value) {
  switch (kind) {
  case 1: *(int8_t *)at = value; break;
  case 2: *(int16_t *)at = value; break;
  case 4: *(int32_t *)at = value; break;
  default: *(int64_t *)at = value; break;
  }
}

INLINE int8_t integer_type(int kind) { return kind == 1 ? 7 : kind == 2 ? 8 : kind == 4 ? INTEGER4 : INTEGER8; }

// An allocatable array of integers, without extents yet.
INLINE void establish_integers(Descriptor *result, int kind, int rank) {
  result->element_bytes = kind;
  result->version = VERSION;
  result->rank = rank;
  result->type = integer_type(kind);
  result->attribute = ALLOCATABLE;
  result->extra = 0;
}

// The subscripts of element `found` in array element order; of none if that is negative.
INLINE void put_subscripts(Descriptor *result, const Descriptor *x, int kind, int64_t found) {
  establish_integers(result, kind, 1);
  set_extent(result, 0, x->rank);
  allocate(result);
  for (int j = 0; j < x->rank; ++j) {
    int64_t extent = x->dim[j].extent;
    put_integer(result->base + j * (int64_t)kind, kind, found < 0 ? 0 : found % extent + 1);
    if (found >= 0)
      found /= extent;
  }
}

// One integer for each line along `dim`.
INLINE void make_places(Descriptor *result, const Descriptor *x, int kind, int dim) {
  establish_integers(result, kind, x->rank - 1);
  for (int j = 0, k = 0; j < x->rank; ++j)
    if (j != dim - 1)
      set_extent(result, k++, x->dim[j].extent);
  allocate(result);
}

#define EXTREME(T, NAME, BETTER)                                                                                      \
  void enzyme_fortran_##NAME##T(Descriptor *result, const Descriptor *x, int kind, const char *file, int line,             \
                                const Descriptor *mask, bool back) {                                                  \
    int64_t n = elements(x), found = -1;                                                                              \
    T best = 0;                                                                                                       \
    if (!(mask && mask->rank == 0 && !truth(mask, 0)))                                                                \
      for (int64_t i = 0; i < n; ++i)                                                                                 \
        if (mask == NULL || mask->rank == 0 || truth(mask, i)) {                                                      \
          T value = ELEMENT(T, x, i);                                                                                 \
          if (found < 0 || value BETTER best || (back && value == best)) {                                            \
            best = value;                                                                                             \
            found = i;                                                                                                \
          }                                                                                                           \
        }                                                                                                             \
    put_subscripts(result, x, kind, found);                                                                           \
  }                                                                                                                   \
  static void lines_##NAME##T(Descriptor *result, const Descriptor *x, int kind, int dim, const Descriptor *mask,     \
                              bool back) {                                                                            \
    int64_t n = elements(result);                                                                                     \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      Line line = line_of(x, dim, i, mask);                                                                           \
      int64_t found = -1;                                                                                             \
      T best = 0;                                                                                                     \
      for (int64_t k = 0; k < line.n; ++k)                                                                            \
        if (taken(&line, k)) {                                                                                        \
          T value = *(const T *)(line.base + k * line.stride);                                                        \
          if (found < 0 || value BETTER best || (back && value == best)) {                                            \
            best = value;                                                                                             \
            found = k;                                                                                                \
          }                                                                                                           \
        }                                                                                                             \
      put_integer(result->base + i * kind, kind, found + 1);                                                          \
    }                                                                                                                 \
  }
#define EXTREMES(NAME, BETTER)                                                                                        \
  NUMBERS(EXTREME, NAME, BETTER)                                                                                      \
  BY_TYPE void enzyme_fortran_##NAME##Dim(Descriptor *result, const Descriptor *x, int kind, int dim,                      \
                                          const char *file, int line, const Descriptor *mask, bool back) {            \
    ElementType type = element_type(x);                                                                               \
    make_places(result, x, kind, dim);                                                                                \
    switch (type.code) {                                                                                              \
    case REAL4: lines_##NAME##Real4(result, x, kind, dim, mask, back); break;                                         \
    case REAL8: lines_##NAME##Real8(result, x, kind, dim, mask, back); break;                                         \
    case REAL10: case REAL10_C: lines_##NAME##Real10(result, x, kind, dim, mask, back); break;                        \
    case REAL16: case CHARACTER1: case CHARACTER2: case CHARACTER4:                                                   \
      _FortranAReportFatalUserError("not for this type, when derivatives are built in", file, line);                  \
    default:                                                                                                          \
      switch (type.bytes) {                                                                                           \
      case 1: lines_##NAME##Integer1(result, x, kind, dim, mask, back); break;                                        \
      case 2: lines_##NAME##Integer2(result, x, kind, dim, mask, back); break;                                        \
      case 4: lines_##NAME##Integer4(result, x, kind, dim, mask, back); break;                                        \
      default: lines_##NAME##Integer8(result, x, kind, dim, mask, back); break;                                       \
      }                                                                                                               \
    }                                                                                                                 \
  }
EXTREMES(Maxloc, >)
EXTREMES(Minloc, <)

// FINDLOC compares numbers of any two types, truth values, and text, which blanks fill up.

typedef struct {
  long double re, im;
} Number;

INLINE Number number_at(const char *at, ElementType type) {
  Number z = {0, 0};
  switch (type.code) {
  case REAL4: z.re = *(const float *)at; break;
  case REAL8: z.re = *(const double *)at; break;
  case REAL10: case REAL10_C: z.re = *(const long double *)at; break;
  case COMPLEX4: z.re = ((const float *)at)[0]; z.im = ((const float *)at)[1]; break;
  case COMPLEX8: z.re = ((const double *)at)[0]; z.im = ((const double *)at)[1]; break;
  case COMPLEX10: case COMPLEX10_C: z.re = ((const long double *)at)[0]; z.im = ((const long double *)at)[1]; break;
  default:
    switch (type.bytes) {
    case 1: z.re = *(const int8_t *)at; break;
    case 2: z.re = *(const int16_t *)at; break;
    case 4: z.re = *(const int32_t *)at; break;
    default: z.re = *(const int64_t *)at; break;
    }
  }
  return z;
}

INLINE bool same_text(const char *a, ElementType x, const char *b, ElementType y) {
  size_t n = x.bytes > y.bytes ? x.bytes : y.bytes;
  for (size_t k = 0; k < n; ++k)
    if ((k < x.bytes ? a[k] : ' ') != (k < y.bytes ? b[k] : ' '))
      return false;
  return true;
}

INLINE bool is_logical(int8_t code) { return code == LOGICAL1 || (code >= LOGICAL2 && code <= LOGICAL8) ||
                                                   (code >= LIBRARY_LOGICAL2 && code <= LIBRARY_LOGICAL8); }

INLINE bool same_value(const char *a, ElementType x, const char *b, ElementType y) {
  if (x.code == CHARACTER1)
    return same_text(a, x, b, y);
  if (is_logical(x.code))
    return holds(a, x.bytes) == holds(b, y.bytes);
  Number left = number_at(a, x), right = number_at(b, y);
  return left.re == right.re && left.im == right.im;
}

BY_TYPE void enzyme_fortran_Findloc(Descriptor *result, const Descriptor *x, const Descriptor *target, int kind,
                                    const char *file, int line, const Descriptor *mask, bool back) {
  ElementType type = element_type(x), other = element_type(target);
  require(type.code != CHARACTER2 && type.code != CHARACTER4 && type.code != REAL16 && type.code != COMPLEX16,
          "FINDLOC: not for this type, when derivatives are built in");
  int64_t n = elements(x), found = -1;
  if (!(mask && mask->rank == 0 && !truth(mask, 0)))
    for (int64_t i = 0; i < n && (found < 0 || back); ++i)
      if ((mask == NULL || mask->rank == 0 || truth(mask, i)) &&
          same_value(x->base + offset_of(x, i), type, target->base, other))
        found = i;
  put_subscripts(result, x, kind, found);
}

BY_TYPE void enzyme_fortran_FindlocDim(Descriptor *result, const Descriptor *x, const Descriptor *target, int kind,
                                       int dim, const char *file, int line, const Descriptor *mask, bool back) {
  ElementType type = element_type(x), other = element_type(target);
  require(type.code != CHARACTER2 && type.code != CHARACTER4 && type.code != REAL16 && type.code != COMPLEX16,
          "FINDLOC: not for this type, when derivatives are built in");
  make_places(result, x, kind, dim);
  int64_t n = elements(result);
  for (int64_t i = 0; i < n; ++i) {
    Line one = line_of(x, dim, i, mask);
    int64_t found = -1;
    for (int64_t k = 0; k < one.n && (found < 0 || back); ++k)
      if (taken(&one, k) && same_value(one.base + k * one.stride, type, target->base, other))
        found = k;
    put_integer(result->base + i * kind, kind, found + 1);
  }
}

// How many elements of each line are true.

INLINE int64_t true_ones(const Line *line, size_t bytes) {
  int64_t n = 0;
  for (int64_t k = 0; k < line->n; ++k)
    n += holds(line->base + k * line->stride, bytes);
  return n;
}

void enzyme_fortran_CountDim(Descriptor *result, const Descriptor *x, int dim, int kind, const char *file, int line) {
  size_t bytes = x->element_bytes;
  make_places(result, x, kind, dim);
  int64_t n = elements(result);
  for (int64_t i = 0; i < n; ++i) {
    Line one = line_of(x, dim, i, NULL);
    put_integer(result->base + i * kind, kind, true_ones(&one, bytes));
  }
}

#define TRUTHS(NAME, CONDITION)                                                                                       \
  void enzyme_fortran_##NAME##Dim(Descriptor *result, const Descriptor *x, int dim, const char *file, int line) {     \
    size_t bytes = x->element_bytes;                                                                                  \
    int8_t type = x->type;                                                                                            \
    make_places(result, x, bytes, dim);                                                                               \
    result->type = type;                                                                                              \
    int64_t n = elements(result);                                                                                     \
    for (int64_t i = 0; i < n; ++i) {                                                                                 \
      Line one = line_of(x, dim, i, NULL);                                                                            \
      int64_t found = true_ones(&one, bytes);                                                                         \
      put_integer(result->base + i * (int64_t)bytes, bytes, CONDITION);                                               \
    }                                                                                                                 \
  }
TRUTHS(Any, found > 0)
TRUTHS(All, found == one.n)
TRUTHS(Parity, found % 2)

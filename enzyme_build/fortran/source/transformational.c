// Functions that make arrays of arrays: RESHAPE, TRANSPOSE, SPREAD, PACK, UNPACK, CSHIFT, EOSHIFT, MATMUL.
#include "elements.h"

// Each function first finds where the elements of its result come from, and `gather` then moves them. A place is twice
// the offset in bytes from the first array, or that from the second one and 1.
INLINE int64_t from_first(int64_t offset) { return 2 * offset; }
INLINE int64_t from_second(int64_t offset) { return 2 * offset + 1; }

INLINE void gather(const Descriptor *result, ElementType type, int64_t *places, const char *first,
                   const char *second) {
  int64_t n = elements(result), bytes = type.bytes;
  for (int64_t i = 0; i < n; ++i)
    make_new(result->base + i * bytes, (places[i] & 1 ? second : first) + (places[i] >> 1), 1, result, type);
  free(places);
}

INLINE int64_t *places_of(const Descriptor *result) {
  return malloc(at_least_one(elements(result)) * sizeof(int64_t));
}

// Offset in elements of element `i` in the order of `order`'s dimensions, in a contiguous result.
INLINE int64_t permuted(const Descriptor *result, const Descriptor *order, int64_t i) {
  int64_t place = 0;
  for (int j = 0; j < result->rank; ++j) {
    int k = integer(order, j) - 1;
    int64_t extent = result->dim[k].extent, inner = 1;
    for (int l = 0; l < k; ++l)
      inner *= result->dim[l].extent;
    place += i % extent * inner;
    i /= extent;
  }
  return place;
}

static int64_t *reshape_places(const Descriptor *result, const Descriptor *x, const Descriptor *pad,
                               const Descriptor *order) {
  int64_t n = elements(result), given = elements(x), *places = places_of(result);
  for (int64_t i = 0; i < n; ++i)
    places[order ? permuted(result, order, i) : i] =
        i < given ? from_first(offset_of(x, i)) : from_second(offset_of(pad, (i - given) % elements(pad)));
  return places;
}

BY_TYPE void enzyme_fortran_Reshape(Descriptor *result, const Descriptor *x, const Descriptor *shape, const Descriptor *pad,
                              const Descriptor *order, const char *file, int line) {
  ElementType type = element_type(x);
  int rank = shape->dim[0].extent;
  establish(result, x, rank);
  for (int j = 0; j < rank; ++j) {
    int64_t extent = integer(shape, j);
    set_extent(result, j, extent > 0 ? extent : 0);
  }
  allocate(result);
  gather(result, type, reshape_places(result, x, pad, order), x->base, pad ? pad->base : NULL);
}

static int64_t *transpose_places(const Descriptor *result, const Descriptor *x) {
  int64_t n = x->dim[0].extent, m = x->dim[1].extent, *places = places_of(result);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < m; ++j)
      places[i * m + j] = from_first(i * x->dim[0].stride + j * x->dim[1].stride);
  return places;
}

BY_TYPE void enzyme_fortran_Transpose(Descriptor *result, const Descriptor *x, const char *file, int line) {
  ElementType type = element_type(x);
  establish(result, x, 2);
  set_extent(result, 0, x->dim[1].extent);
  set_extent(result, 1, x->dim[0].extent);
  allocate(result);
  gather(result, type, transpose_places(result, x), x->base, NULL);
}

// `inner` elements stand between two of the new dimension.
static int64_t *spread_places(const Descriptor *result, const Descriptor *x, int64_t inner, int64_t copies) {
  int64_t n = elements(result), *places = places_of(result);
  for (int64_t i = 0; i < n; ++i)
    places[i] = from_first(offset_of(x, i % inner + i / (inner * copies) * inner));
  return places;
}

BY_TYPE void enzyme_fortran_Spread(Descriptor *result, const Descriptor *x, int dim, int64_t copies, const char *file,
                             int line) {
  ElementType type = element_type(x);
  int64_t inner = 1;
  if (copies < 0)
    copies = 0;
  establish(result, x, x->rank + 1);
  for (int j = 0; j <= x->rank; ++j) {
    int64_t extent = j == dim - 1 ? copies : x->dim[j < dim ? j : j - 1].extent;
    if (j < dim - 1)
      inner *= extent;
    set_extent(result, j, extent);
  }
  allocate(result);
  gather(result, type, spread_places(result, x, inner, copies), x->base, NULL);
}

static int64_t *pack_places(const Descriptor *result, const Descriptor *x, const Descriptor *mask,
                            const Descriptor *rest) {
  int64_t n = elements(x), next = 0, *places = places_of(result);
  for (int64_t i = 0; i < n; ++i)
    if (truth(mask, mask->rank ? i : 0))
      places[next++] = from_first(offset_of(x, i));
  for (; next < result->dim[0].extent; ++next)
    places[next] = from_second(offset_of(rest, next));
  return places;
}

static int64_t count(const Descriptor *x, const Descriptor *mask) {
  int64_t n = elements(x), found = 0;
  for (int64_t i = 0; i < n; ++i)
    found += truth(mask, mask->rank ? i : 0);
  return found;
}

BY_TYPE void enzyme_fortran_Pack(Descriptor *result, const Descriptor *x, const Descriptor *mask, const Descriptor *rest,
                           const char *file, int line) {
  ElementType type = element_type(x);
  establish(result, x, 1);
  set_extent(result, 0, rest ? rest->dim[0].extent : count(x, mask));
  allocate(result);
  gather(result, type, pack_places(result, x, mask, rest), x->base, rest ? rest->base : NULL);
}

static int64_t *unpack_places(const Descriptor *result, const Descriptor *x, const Descriptor *mask,
                              const Descriptor *field) {
  int64_t n = elements(result), next = 0, *places = places_of(result);
  for (int64_t i = 0; i < n; ++i)
    places[i] = truth(mask, i) ? from_first(offset_of(x, next++)) : from_second(offset_of(field, i));
  return places;
}

BY_TYPE void enzyme_fortran_Unpack(Descriptor *result, const Descriptor *x, const Descriptor *mask, const Descriptor *field,
                             const char *file, int line) {
  ElementType type = element_type(x);
  establish(result, x, mask->rank);
  for (int j = 0; j < mask->rank; ++j)
    set_extent(result, j, mask->dim[j].extent);
  allocate(result);
  gather(result, type, unpack_places(result, x, mask, field), x->base, field->base);
}

// Shifts: element `k` of a line along `dim` comes from place `k + shift`, around the end or from the boundary. The
// shifts and boundaries of the lines count in array element order.

INLINE int64_t around(int64_t place, int64_t n) {
  int64_t k = place % n;
  return k < 0 ? k + n : k;
}

static int64_t *shift_places(const Descriptor *x, const Descriptor *shift, int64_t by, int dim, bool circular,
                             const Descriptor *boundary) {
  int64_t n = elements(x), length = x->dim[dim - 1].extent, stride = x->dim[dim - 1].stride, *places = places_of(x);
  for (int64_t i = 0; i < n; ++i) {
    int64_t rest = i, line = 0, lines = 1, place = 0;
    for (int j = 0; j < x->rank; ++j) {
      int64_t extent = x->dim[j].extent, k = rest % extent;
      rest /= extent;
      if (j == dim - 1) {
        place = k;
      } else {
        line += k * lines;
        lines *= extent;
      }
    }
    int64_t from = place + (shift ? integer(shift, shift->rank ? line : 0) : by);
    if (circular)
      from = around(from, length);
    if (from >= 0 && from < length)
      places[i] = from_first(offset_of(x, i) + (from - place) * stride);
    else
      places[i] = from_second(boundary && boundary->rank ? offset_of(boundary, line) : 0);
  }
  return places;
}

INLINE void make_alike(Descriptor *result, const Descriptor *x) {
  establish(result, x, x->rank);
  for (int j = 0; j < x->rank; ++j)
    set_extent(result, j, x->dim[j].extent);
  allocate(result);
}

BY_TYPE void enzyme_fortran_Cshift(Descriptor *result, const Descriptor *x, const Descriptor *shift, int dim,
                             const char *file, int line) {
  ElementType type = element_type(x);
  make_alike(result, x);
  gather(result, type, shift_places(x, shift, 0, dim, true, NULL), x->base, NULL);
}

BY_TYPE void enzyme_fortran_CshiftVector(Descriptor *result, const Descriptor *x, int64_t shift, const char *file,
                                   int line) {
  ElementType type = element_type(x);
  make_alike(result, x);
  gather(result, type, shift_places(x, NULL, shift, 1, true, NULL), x->base, NULL);
}

// Without a boundary, zeros come in (blanks into text).
INLINE void eoshift(Descriptor *result, const Descriptor *x, ElementType type, int64_t *places,
                    const Descriptor *boundary) {
  if (boundary) {
    gather(result, type, places, x->base, boundary->base);
    return;
  }
  char *zero = calloc(1, x->element_bytes);
  if (x->type == CHARACTER1)
    for (size_t k = 0; k < x->element_bytes; ++k)
      zero[k] = ' ';
  gather(result, type, places, x->base, zero);
  free(zero);
}

BY_TYPE void enzyme_fortran_Eoshift(Descriptor *result, const Descriptor *x, const Descriptor *shift,
                              const Descriptor *boundary, int dim, const char *file, int line) {
  ElementType type = element_type(x);
  make_alike(result, x);
  eoshift(result, x, type, shift_places(x, shift, 0, dim, false, boundary), boundary);
}

BY_TYPE void enzyme_fortran_EoshiftVector(Descriptor *result, const Descriptor *x, int64_t shift, const Descriptor *boundary,
                                    const char *file, int line) {
  ElementType type = element_type(x);
  make_alike(result, x);
  eoshift(result, x, type, shift_places(x, NULL, shift, 1, false, boundary), boundary);
}

// TRANSFER: the bytes of `x`, in array element order, as elements of the type of `mold`. Numbers of one precision stay
// numbers on the way.
INLINE void transfer(Descriptor *result, const Descriptor *x, ElementType type) {
  int64_t room = elements(result) * (int64_t)result->element_bytes, whole = room / (int64_t)type.bytes;
  int64_t given = elements(x), n = given < whole ? given : whole, rest = room - n * (int64_t)type.bytes;
  for (int64_t i = 0; i < n; ++i)
    move_numbers(result->base + i * (int64_t)type.bytes, x->base + offset_of(x, i), type, 1);
  if (rest == 0)
    return;
  char *end = result->base + n * (int64_t)type.bytes;
  if (n < given)
    memcpy(end, x->base + offset_of(x, n), rest);
  else
    memset(end, 0, rest);
}

BY_TYPE void enzyme_fortran_Transfer(Descriptor *result, const Descriptor *x, const Descriptor *mold, const char *file,
                                     int line) {
  ElementType type = element_type(x);
  int64_t bytes = elements(x) * (int64_t)type.bytes, unit = mold->element_bytes;
  establish(result, mold, mold->rank ? 1 : 0);
  if (mold->rank)
    set_extent(result, 0, unit ? (bytes + unit - 1) / unit : 0);
  allocate(result);
  transfer(result, x, type);
}

BY_TYPE void enzyme_fortran_TransferSize(Descriptor *result, const Descriptor *x, const Descriptor *mold,
                                         const char *file, int line, int64_t size) {
  ElementType type = element_type(x);
  establish(result, mold, 1);
  set_extent(result, 0, size);
  allocate(result);
  transfer(result, x, type);
}

// A copy that is contiguous, and leaves what components point to alone.
BY_TYPE void enzyme_fortran_ShallowCopy(Descriptor *result, const Descriptor *x, const char *file, int line) {
  ElementType type = element_type(x);
  make_alike(result, x);
  copy_numbers(result, x, type);
}

BY_TYPE void enzyme_fortran_ShallowCopyDirect(const Descriptor *result, const Descriptor *x, const char *file, int line) {
  copy_numbers(result, x, element_type(x));
}

// Products of matrices and vectors: a vector is a row on the left and a column on the right.
typedef struct {
  const char *base;
  int64_t rows, columns, row_stride, column_stride;
} Matrix;

INLINE Matrix left_matrix(const Descriptor *x) {
  Matrix m = {x->base, 1, x->dim[0].extent, 0, x->dim[0].stride};
  if (x->rank == 2) {
    m.rows = x->dim[0].extent;
    m.columns = x->dim[1].extent;
    m.row_stride = x->dim[0].stride;
    m.column_stride = x->dim[1].stride;
  }
  return m;
}

INLINE Matrix right_matrix(const Descriptor *x) {
  Matrix m = {x->base, x->dim[0].extent, 1, x->dim[0].stride, 0};
  if (x->rank == 2) {
    m.columns = x->dim[1].extent;
    m.column_stride = x->dim[1].stride;
  }
  return m;
}

INLINE Matrix transposed(Matrix m) {
  Matrix t = {m.base, m.columns, m.rows, m.column_stride, m.row_stride};
  return t;
}

INLINE Matrix result_matrix(const Descriptor *r, const Descriptor *x, const Descriptor *y) {
  Matrix m = {r->base, 1, 1, 0, 0};
  if (r->rank == 2) {
    m.row_stride = r->dim[0].stride;
    m.column_stride = r->dim[1].stride;
  } else if (x->rank == 1) {
    m.column_stride = r->dim[0].stride;
  } else {
    m.row_stride = r->dim[0].stride;
  }
  return m;
}

INLINE void make_product(Descriptor *result, const Descriptor *x, const Descriptor *y, Matrix left, Matrix right,
                         int8_t type, size_t bytes) {
  int rank = x->rank + y->rank - 2, j = 0;
  result->element_bytes = bytes;
  result->version = VERSION;
  result->rank = rank;
  result->type = type;
  result->attribute = ALLOCATABLE;
  result->extra = 0;
  if (x->rank == 2)
    set_extent(result, j++, left.rows);
  if (y->rank == 2)
    set_extent(result, j++, right.columns);
  allocate(result);
}

#define AT(T, m, i, j) (*(T *)((m).base + (i) * (m).row_stride + (j) * (m).column_stride))

#define REAL_PRODUCT(NAME, X, Y, R)                                                                                   \
  static void product_##NAME(Matrix r, Matrix x, Matrix y) {                                                         \
    for (int64_t j = 0; j < y.columns; ++j) {                                                                         \
      for (int64_t i = 0; i < x.rows; ++i)                                                                            \
        AT(R, r, i, j) = 0;                                                                                           \
      for (int64_t k = 0; k < x.columns; ++k) {                                                                       \
        R factor = AT(const Y, y, k, j);                                                                              \
        for (int64_t i = 0; i < x.rows; ++i)                                                                          \
          AT(R, r, i, j) += AT(const X, x, i, k) * factor;                                                            \
      }                                                                                                               \
    }                                                                                                                 \
  }
#define COMPLEX_PRODUCT(NAME, X, Y, R)                                                                                \
  static void product_##NAME(Matrix r, Matrix x, Matrix y) {                                                         \
    for (int64_t j = 0; j < y.columns; ++j)                                                                           \
      for (int64_t i = 0; i < x.rows; ++i) {                                                                          \
        R sum = {0, 0};                                                                                               \
        for (int64_t k = 0; k < x.columns; ++k) {                                                                     \
          X a = AT(const X, x, i, k);                                                                                 \
          Y b = AT(const Y, y, k, j);                                                                                 \
          sum.re += RE(a) * RE(b) - IM(a) * IM(b);                                                                    \
          sum.im += RE(a) * IM(b) + IM(a) * RE(b);                                                                    \
        }                                                                                                             \
        AT(R, r, i, j) = sum;                                                                                         \
      }                                                                                                               \
  }
#define RE(z) _Generic((z), Complex4: re4, Complex8: re8, float: re_f, double: re_d)(z)
#define IM(z) _Generic((z), Complex4: im4, Complex8: im8, float: im_f, double: im_d)(z)
INLINE float re4(Complex4 z) { return z.re; }
INLINE float im4(Complex4 z) { return z.im; }
INLINE double re8(Complex8 z) { return z.re; }
INLINE double im8(Complex8 z) { return z.im; }
INLINE float re_f(float x) { return x; }
INLINE float im_f(float x) { return 0; }
INLINE double re_d(double x) { return x; }
INLINE double im_d(double x) { return 0; }

#define PRODUCTS(PRODUCT, NAME, X, Y, R, TYPE)                                                                        \
  PRODUCT(NAME, X, Y, R)                                                                                              \
  void enzyme_fortran_Matmul##NAME(Descriptor *result, const Descriptor *x, const Descriptor *y, const char *file,         \
                             int line) {                                                                              \
    make_product(result, x, y, left_matrix(x), right_matrix(y), TYPE, sizeof(R));                                     \
    product_##NAME(result_matrix(result, x, y), left_matrix(x), right_matrix(y));                                     \
  }                                                                                                                   \
  void enzyme_fortran_MatmulDirect##NAME(const Descriptor *result, const Descriptor *x, const Descriptor *y,               \
                                   const char *file, int line) {                                                      \
    product_##NAME(result_matrix(result, x, y), left_matrix(x), right_matrix(y));                                     \
  }                                                                                                                   \
  void enzyme_fortran_MatmulTranspose##NAME(Descriptor *result, const Descriptor *x, const Descriptor *y,                  \
                                      const char *file, int line) {                                                   \
    make_product(result, x, y, transposed(left_matrix(x)), right_matrix(y), TYPE, sizeof(R));                         \
    product_##NAME(result_matrix(result, x, y), transposed(left_matrix(x)), right_matrix(y));                         \
  }                                                                                                                   \
  void enzyme_fortran_MatmulTransposeDirect##NAME(const Descriptor *result, const Descriptor *x, const Descriptor *y,      \
                                            const char *file, int line) {                                             \
    product_##NAME(result_matrix(result, x, y), transposed(left_matrix(x)), right_matrix(y));                         \
  }
PRODUCTS(REAL_PRODUCT, Real4Real4, float, float, float, REAL4)
PRODUCTS(REAL_PRODUCT, Real8Real8, double, double, double, REAL8)
PRODUCTS(REAL_PRODUCT, Real4Real8, float, double, double, REAL8)
PRODUCTS(REAL_PRODUCT, Real8Real4, double, float, double, REAL8)
PRODUCTS(REAL_PRODUCT, Integer4Real8, int32_t, double, double, REAL8)
PRODUCTS(REAL_PRODUCT, Real8Integer4, double, int32_t, double, REAL8)
PRODUCTS(REAL_PRODUCT, Integer4Integer4, int32_t, int32_t, int32_t, INTEGER4)
PRODUCTS(COMPLEX_PRODUCT, Complex4Complex4, Complex4, Complex4, Complex4, COMPLEX4)
PRODUCTS(COMPLEX_PRODUCT, Complex8Complex8, Complex8, Complex8, Complex8, COMPLEX8)
PRODUCTS(COMPLEX_PRODUCT, Complex8Real8, Complex8, double, Complex8, COMPLEX8)
PRODUCTS(COMPLEX_PRODUCT, Real8Complex8, double, Complex8, Complex8, COMPLEX8)

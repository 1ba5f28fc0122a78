// Array descriptors of flang, and how their elements are reached. The layout is that of ISO_Fortran_binding.h; the
// bodies here, enzyme_fortran_X, do what the functions _FortranAX of flang's runtime do (flang/Runtime/*.h), in plain typed
// accesses, so that the pass sees numbers where the library moves bytes.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  int64_t lower, extent, stride; // stride in bytes
} Dimension;

// One byte that is no character: what is written to memory as anything else leaves it as it is. A rank that is known
// stays known through the writes of a body, and so does that no element lies among the dimensions.
typedef unsigned _BitInt(8) Byte;

typedef struct {
  char *base;
  size_t element_bytes;
  int32_t version;
  Byte rank;
  Byte type;
  Byte attribute;
  Byte extra; // bit 0: an addendum with the derived type stands behind the dimensions
  Dimension dim[];
} Descriptor;

enum { ALLOCATABLE = 2 }; // the attribute that says so
enum { VERSION = 20240719, MAX_RANK = 15 };

// Codes of element types (CFI_type_…); everything else is an integer or a logical of `element_bytes` bytes.
enum {
  REAL4 = 27, REAL8 = 28, REAL10 = 29, REAL10_C = 30, REAL16 = 31,
  COMPLEX4 = 34, COMPLEX8 = 35, COMPLEX10 = 36, COMPLEX10_C = 37, COMPLEX16 = 38,
  CHARACTER1 = 40, DERIVED = 42, CHARACTER2 = 43, CHARACTER4 = 44,
  INTEGER8 = 10, INTEGER4 = 9,
  // Compiled code and the library differ, and a descriptor may hold either.
  LOGICAL1 = 39, LOGICAL2 = 13, LOGICAL4 = 14, LOGICAL8 = 15, LIBRARY_LOGICAL2 = 18, LIBRARY_LOGICAL8 = 20,
};

// Small functions are inlined into each body, and each body into its callers as LLVM sees fit.
#define INLINE static inline __attribute__((always_inline))
// A body whose first step is a choice by the element type: inlined, so that a known type leaves one call.
#define BY_TYPE __attribute__((always_inline))

// What fails in a correct program never; flang's runtime ends the program with a message of its own.
_Noreturn void _FortranAReportFatalUserError(const char *message, const char *file, int line);

INLINE void require(bool condition, const char *message) {
  if (__builtin_expect(!condition, 0))
    _FortranAReportFatalUserError(message, "", 0);
}

// Functions that end in `in` are told the rank (see `Form`).
INLINE int64_t elements_in(const Descriptor *d, int rank) {
  int64_t n = 1;
  for (int j = 0; j < rank; ++j)
    n *= d->dim[j].extent;
  return n;
}
INLINE int64_t elements(const Descriptor *d) { return elements_in(d, d->rank); }

INLINE bool contiguous_in(const Descriptor *d, int rank) {
  int64_t bytes = d->element_bytes;
  for (int j = 0; j < rank; ++j) {
    if (d->dim[j].stride != bytes && d->dim[j].extent != 1)
      return false;
    bytes *= d->dim[j].extent;
  }
  return true;
}
INLINE bool contiguous(const Descriptor *d) { return contiguous_in(d, d->rank); }

// Offset in bytes of element `i` in array element order; 0 for scalars.
INLINE int64_t offset_in(const Descriptor *d, int rank, int64_t i) {
  if (rank == 0)
    return 0;
  if (rank == 1)
    return i * d->dim[0].stride;
  int64_t offset = 0;
  for (int j = 0; j < rank; ++j) {
    int64_t extent = d->dim[j].extent;
    offset += i % extent * d->dim[j].stride;
    i /= extent;
  }
  return offset;
}
INLINE int64_t offset_of(const Descriptor *d, int64_t i) { return offset_in(d, d->rank, i); }

#define ELEMENT(T, d, i) (*(T *)((d)->base + offset_of(d, i)))

INLINE void *derived_type(const Descriptor *d) { return d->extra & 1 ? *(void **)&d->dim[d->rank] : NULL; }
INLINE void set_derived_type(Descriptor *d, void *type) {
  if (d->extra & 1)
    *(void **)&d->dim[d->rank] = type;
}

INLINE int64_t at_least_one(int64_t bytes) { return bytes > 0 ? bytes : 1; }

// Extents as they are, bytes as an allocation of its own has them.
INLINE void set_strides_in(Descriptor *d, int rank) {
  int64_t stride = d->element_bytes;
  for (int j = 0; j < rank; ++j) {
    d->dim[j].stride = stride;
    stride *= d->dim[j].extent;
  }
}
INLINE void set_strides(Descriptor *d) { set_strides_in(d, d->rank); }

INLINE void set_bounds(Descriptor *d, int j, int64_t lower, int64_t upper) {
  d->dim[j].lower = upper < lower ? 1 : lower;
  d->dim[j].extent = upper < lower ? 0 : upper - lower + 1;
}

// The result of a transformational function: allocatable, of `like`'s element type, lower bounds 1.
INLINE void establish(Descriptor *result, const Descriptor *like, int rank) {
  result->element_bytes = like->element_bytes;
  result->version = VERSION;
  result->rank = rank;
  result->type = like->type;
  result->attribute = ALLOCATABLE;
  result->extra = like->extra;
  *(void **)&result->base = NULL;
  if (like->extra & 1)
    *(void **)&result->dim[rank] = derived_type(like);
}

INLINE void set_extent(Descriptor *result, int j, int64_t extent) {
  result->dim[j].lower = 1;
  result->dim[j].extent = extent;
}

INLINE void allocate(Descriptor *result) {
  set_strides(result);
  result->base = malloc(at_least_one(elements(result) * (int64_t)result->element_bytes));
}

INLINE bool truth(const Descriptor *mask, int64_t i) {
  const char *at = mask->base + offset_of(mask, i);
  switch (mask->element_bytes) {
  case 1: return *(const int8_t *)at != 0;
  case 2: return *(const int16_t *)at != 0;
  case 4: return *(const int32_t *)at != 0;
  default: return *(const int64_t *)at != 0;
  }
}

INLINE int64_t integer(const Descriptor *d, int64_t i) {
  const char *at = d->base + offset_of(d, i);
  switch (d->element_bytes) {
  case 1: return *(const int8_t *)at;
  case 2: return *(const int16_t *)at;
  case 4: return *(const int32_t *)at;
  default: return *(const int64_t *)at;
  }
}

typedef struct { float re, im; } Complex4;
typedef struct { double re, im; } Complex8;
typedef struct { long double re, im; } Complex10;

// Functions over an element of a derived type, made at link time from the tables of types that the program has.
// `declared` is the type of the variable (NULL: not known); objects are of it, or of a type that extends it.
// Three ways to copy: intrinsic assignment, whose components may have defined assignment (copy); assignment of a
// component, which may be defined itself (assign); values as they are (duplicate).
void enzyme_fortran_copy(void *type, void *declared, char *to, const char *from);
void enzyme_fortran_assign(void *type, void *declared, char *to, const char *from);
void enzyme_fortran_duplicate(void *type, void *declared, char *to, const char *from);
void enzyme_fortran_finalize(void *type, void *declared, char *element);
void enzyme_fortran_finalize_in_array(void *type, void *declared, char *element);
void enzyme_fortran_destroy(void *type, void *declared, char *element);
void enzyme_fortran_initialize(void *type, void *declared, char *element);
// The same for `n` elements without gaps.
void enzyme_fortran_copy_run(void *type, void *declared, char *to, const char *from, int64_t n);
void enzyme_fortran_assign_run(void *type, void *declared, char *to, const char *from, int64_t n);
void enzyme_fortran_duplicate_run(void *type, void *declared, char *to, const char *from, int64_t n);
void enzyme_fortran_finalize_run(void *type, void *declared, char *elements, int64_t n);
void enzyme_fortran_finalize_in_array_run(void *type, void *declared, char *elements, int64_t n);
void enzyme_fortran_destroy_run(void *type, void *declared, char *elements, int64_t n);
void enzyme_fortran_initialize_run(void *type, void *declared, char *elements, int64_t n);

// What decides how elements are moved, read before anything else: LLVM cannot tell that what is written to elements
// leaves their descriptor as it is, and would have to read it again.
typedef struct {
  int8_t code;
  size_t bytes;
} ElementType;
INLINE ElementType element_type(const Descriptor *d) {
  ElementType type = {d->type, d->element_bytes};
  return type;
}

typedef struct {
  int rank;
  bool own; // memory of its own: elements without gaps, whatever the strides are
  bool addendum;
} Form;
INLINE Form form_of(const Descriptor *d) {
  Form form = {d->rank, d->attribute == ALLOCATABLE, d->extra & 1};
  return form;
}

// Components of an array's elements are not, even where there is but one element: its stride is known, and so is then
// that no element lies right behind another.
INLINE bool packed(const Descriptor *d, Form form) {
  if (form.rank == 0 || form.own)
    return true;
  return d->dim[0].stride == (int64_t)d->element_bytes && contiguous_in(d, form.rank);
}

INLINE void *derived_type_in(const Descriptor *d, Form form) {
  return form.addendum ? *(void **)&d->dim[form.rank] : NULL;
}
INLINE void set_derived_type_in(Descriptor *d, Form form, void *type) {
  if (form.addendum)
    *(void **)&d->dim[form.rank] = type;
}

// Copies of elements from array to array: as numbers where the type is known, and as bytes otherwise, of which the pass
// knows from the rest of the program what they are.
#pragma once
#include "descriptor.h"
#include <string.h>

#define KNOWN(value) __builtin_constant_p(value)

// `n` numbers of a type that is known when this is compiled; otherwise bytes.
INLINE void move_numbers(char *to, const char *from, ElementType type, int64_t n) {
#define NUMBERS(T, count)                                                                                             \
  for (int64_t i = 0; i < n * (count); ++i)                                                                           \
    ((T *)to)[i] = ((const T *)from)[i]
  if (KNOWN(type.code) && type.code == REAL8)
    NUMBERS(double, 1);
  else if (KNOWN(type.code) && type.code == REAL4)
    NUMBERS(float, 1);
  else if (KNOWN(type.code) && type.code == COMPLEX8)
    NUMBERS(double, 2);
  else if (KNOWN(type.code) && type.code == COMPLEX4)
    NUMBERS(float, 2);
  else if (KNOWN(type.code) && type.code == REAL10)
    NUMBERS(long double, 1);
  else if (KNOWN(type.code) && type.code == COMPLEX10)
    NUMBERS(long double, 2);
  else
    memmove(to, from, n * type.bytes);
#undef NUMBERS
}

// Between arrays of one shape, or from a scalar to each element. Arrays do not overlap, or are the same.
INLINE void copy_numbers(const Descriptor *to, const Descriptor *from, ElementType type) {
  int64_t n = elements(to);
  if (from->rank != 0 && contiguous(to) && contiguous(from)) {
    move_numbers(to->base, from->base, type, n);
  } else {
    for (int64_t i = 0; i < n; ++i)
      move_numbers(to->base + offset_of(to, i), from->base + offset_of(from, i), type, 1);
  }
}

INLINE bool is_text(ElementType type) {
  return type.code == CHARACTER1 || type.code == CHARACTER2 || type.code == CHARACTER4;
}

// Cut off, or filled up with blanks.
static void copy_text(const Descriptor *to, const Descriptor *from) {
  int64_t n = elements(to), unit = to->type == CHARACTER2 ? 2 : to->type == CHARACTER4 ? 4 : 1;
  int64_t length = to->element_bytes, given = from->element_bytes;
  for (int64_t i = 0; i < n; ++i) {
    char *t = to->base + offset_of(to, i);
    const char *f = from->base + offset_of(from, i);
    for (int64_t k = 0; k < length; ++k)
      t[k] = k < given ? f[k] : k % unit ? 0 : ' ';
  }
}

typedef enum { COPY, ASSIGN, DUPLICATE } Way;

INLINE void copy_derived(const Descriptor *to, const Descriptor *from, void *declared, Way way) {
  int64_t n = elements(to);
  void *type = derived_type(from) ? derived_type(from) : derived_type(to);
  for (int64_t i = 0; i < n; ++i) {
    char *t = to->base + offset_of(to, i);
    const char *f = from->base + offset_of(from, i);
    if (way == COPY)
      enzyme_fortran_copy(type, declared, t, f);
    else if (way == ASSIGN)
      enzyme_fortran_assign(type, declared, t, f);
    else
      enzyme_fortran_duplicate(type, declared, t, f);
  }
}

INLINE void copy_elements_of(const Descriptor *to, const Descriptor *from, ElementType type, void *declared, Way way) {
  if (type.code == DERIVED)
    copy_derived(to, from, declared, way);
  else if (is_text(type) && to->element_bytes != type.bytes)
    copy_text(to, from);
  else
    copy_numbers(to, from, type);
}

INLINE void destroy_elements_of(const Descriptor *d, ElementType type, void *declared) {
  if (type.code != DERIVED || derived_type(d) == NULL)
    return;
  int64_t n = elements(d);
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_destroy(derived_type(d), declared, d->base + offset_of(d, i));
}

INLINE void finalize_elements_of(const Descriptor *d, ElementType type, void *declared) {
  if (type.code != DERIVED || derived_type(d) == NULL)
    return;
  int64_t n = elements(d);
  for (int64_t i = 0; i < n; ++i)
    if (d->rank)
      enzyme_fortran_finalize_in_array(derived_type(d), declared, d->base + offset_of(d, i));
    else
      enzyme_fortran_finalize(derived_type(d), declared, d->base);
}

INLINE void initialize_elements_of(const Descriptor *d, ElementType type, void *declared) {
  if (type.code != DERIVED || derived_type(d) == NULL)
    return;
  int64_t n = elements(d);
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_initialize(derived_type(d), declared, d->base + offset_of(d, i));
}

// Where nothing says which types are possible.
INLINE void copy_elements(const Descriptor *to, const Descriptor *from, ElementType type) {
  copy_elements_of(to, from, type, NULL, DUPLICATE);
}

// One element to memory that holds nothing yet.
INLINE void copy_one(const Descriptor *like, ElementType type, char *to, const char *from) {
  if (type.code == DERIVED) {
    enzyme_fortran_initialize(derived_type(like), NULL, to);
    enzyme_fortran_duplicate(derived_type(like), NULL, to, from);
  } else {
    move_numbers(to, from, type, 1);
  }
}

// Copies of elements from array to array: as numbers where the type is known, and as bytes otherwise, of which the pass
// knows from the rest of the program what they are.
#pragma once
#include "descriptor.h"
#include <string.h>

#define KNOWN(value) __builtin_constant_p(value)

INLINE bool is_text(ElementType type) {
  return type.code == CHARACTER1 || type.code == CHARACTER2 || type.code == CHARACTER4;
}

// memmove, and said to be of text at link time (`access_tags.py`).
void enzyme_fortran_move_text(char *to, const char *from, int64_t bytes);

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
  else if (KNOWN(type.code) && (type.code == INTEGER4 || type.code == LOGICAL4))
    NUMBERS(int32_t, 1);
  else if (KNOWN(type.code) && type.code == INTEGER8)
    NUMBERS(int64_t, 1);
  else if (KNOWN(type.code) && is_text(type))
    enzyme_fortran_move_text(to, from, n * type.bytes);
  else
    memmove(to, from, n * type.bytes);
#undef NUMBERS
}

typedef struct {
  Form to, from;
} Forms;
INLINE Forms forms_of(const Descriptor *to, const Descriptor *from) {
  Forms forms = {form_of(to), form_of(from)};
  return forms;
}

// Between arrays of one shape, or from a scalar to each element. Arrays do not overlap, or are the same.
INLINE void copy_numbers_in(const Descriptor *to, const Descriptor *from, ElementType type, Forms forms) {
  int64_t n = elements_in(to, forms.to.rank);
  if (forms.from.rank != 0 && packed(to, forms.to) && packed(from, forms.from)) {
    move_numbers(to->base, from->base, type, n);
  } else {
    for (int64_t i = 0; i < n; ++i)
      move_numbers(to->base + offset_in(to, forms.to.rank, i), from->base + offset_in(from, forms.from.rank, i), type, 1);
  }
}
INLINE void copy_numbers(const Descriptor *to, const Descriptor *from, ElementType type) {
  copy_numbers_in(to, from, type, forms_of(to, from));
}

// Cut off, or filled up with blanks.
INLINE void copy_text(const Descriptor *to, const Descriptor *from, Forms forms) {
  int64_t n = elements_in(to, forms.to.rank), unit = to->type == CHARACTER2 ? 2 : to->type == CHARACTER4 ? 4 : 1;
  int64_t length = to->element_bytes, given = from->element_bytes;
  for (int64_t i = 0; i < n; ++i) {
    char *t = to->base + offset_in(to, forms.to.rank, i);
    const char *f = from->base + offset_in(from, forms.from.rank, i);
    for (int64_t k = 0; k < length; ++k)
      t[k] = k < given ? f[k] : k % unit ? 0 : ' ';
  }
}

typedef enum { COPY, ASSIGN, DUPLICATE } Way;

// Arrays without gaps are walked with the size of their type, which so is told to the pass. Where the declared type is not
// known, elements may be of any type of the program, and of any size: then only the descriptor tells.

INLINE void copy_derived(const Descriptor *to, const Descriptor *from, Forms forms, void *declared, Way way) {
  int64_t n = elements_in(to, forms.to.rank);
  void *type = derived_type_in(from, forms.from);
  if (!type)
    type = derived_type_in(to, forms.to);
  if (declared && forms.to.rank == forms.from.rank && packed(to, forms.to) && packed(from, forms.from)) {
    if (way == COPY)
      enzyme_fortran_copy_run(type, declared, to->base, from->base, n);
    else if (way == ASSIGN)
      enzyme_fortran_assign_run(type, declared, to->base, from->base, n);
    else
      enzyme_fortran_duplicate_run(type, declared, to->base, from->base, n);
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    char *t = to->base + offset_in(to, forms.to.rank, i);
    const char *f = from->base + offset_in(from, forms.from.rank, i);
    if (way == COPY)
      enzyme_fortran_copy(type, declared, t, f);
    else if (way == ASSIGN)
      enzyme_fortran_assign(type, declared, t, f);
    else
      enzyme_fortran_duplicate(type, declared, t, f);
  }
}

INLINE void copy_elements_of(const Descriptor *to, const Descriptor *from, Forms forms, ElementType type,
                             void *declared, Way way) {
  if (type.code == DERIVED)
    copy_derived(to, from, forms, declared, way);
  else if (is_text(type) && to->element_bytes != type.bytes)
    copy_text(to, from, forms);
  else
    copy_numbers_in(to, from, type, forms);
}

#define EACH_ELEMENT(action, d, form, type, declared)                                                                  \
  do {                                                                                                                \
    void *derived = type.code == DERIVED ? derived_type_in(d, form) : NULL;                                           \
    if (derived == NULL)                                                                                              \
      break;                                                                                                          \
    int64_t n = elements_in(d, form.rank);                                                                            \
    if (declared && packed(d, form))                                                                                  \
      enzyme_fortran_##action##_run(derived, declared, d->base, n);                                                   \
    else                                                                                                              \
      for (int64_t i = 0; i < n; ++i)                                                                                 \
        enzyme_fortran_##action(derived, declared, d->base + offset_in(d, form.rank, i));                             \
  } while (false)

INLINE void destroy_elements_of(const Descriptor *d, Form form, ElementType type, void *declared) {
  EACH_ELEMENT(destroy, d, form, type, declared);
}

INLINE void finalize_elements_of(const Descriptor *d, Form form, ElementType type, void *declared) {
  if (form.rank)
    EACH_ELEMENT(finalize_in_array, d, form, type, declared);
  else
    EACH_ELEMENT(finalize, d, form, type, declared);
}

// What the elements hold ends as their types say, final procedures first.
INLINE void end_elements(const Descriptor *d, ElementType type, void *declared) {
  Form form = form_of(d);
  finalize_elements_of(d, form, type, declared);
  destroy_elements_of(d, form, type, declared);
}

INLINE void initialize_elements_of(const Descriptor *d, Form form, ElementType type, void *declared) {
  EACH_ELEMENT(initialize, d, form, type, declared);
}
#undef EACH_ELEMENT

// Where nothing says which types are possible.
INLINE void copy_elements(const Descriptor *to, const Descriptor *from, ElementType type) {
  copy_elements_of(to, from, forms_of(to, from), type, NULL, DUPLICATE);
}

// Elements without gaps to memory that holds nothing yet; `like` tells their type.
INLINE void make_new(char *to, const char *from, int64_t n, const Descriptor *like, ElementType type) {
  if (type.code == DERIVED) {
    void *derived = derived_type(like);
    enzyme_fortran_initialize_run(derived, NULL, to, n);
    enzyme_fortran_duplicate_run(derived, NULL, to, from, n);
  } else {
    move_numbers(to, from, type, n);
  }
}

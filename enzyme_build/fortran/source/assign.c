// Assignment, and what comes with it: copies in and out, moves, default values, the end of objects.
#include "elements.h"

INLINE bool other_shape(const Descriptor *to, const Descriptor *from) {
  bool other = false;
  for (int j = 0; j < from->rank; ++j)
    other |= to->dim[j].extent != from->dim[j].extent;
  return other;
}

// Memory for the value of `from`: its extents and element type. `to` keeps its bounds when `from` is a scalar.
INLINE void allocate_like(Descriptor *to, const Descriptor *from, ElementType type, void *declared) {
  to->type = type.code;
  to->element_bytes = type.bytes;
  if (type.code == DERIVED && derived_type(from))
    set_derived_type(to, derived_type(from));
  for (int j = 0; j < from->rank; ++j) {
    to->dim[j].lower = from->dim[j].extent ? from->dim[j].lower : 1;
    to->dim[j].extent = from->dim[j].extent;
  }
  set_strides(to);
  to->base = malloc(at_least_one(elements(to) * (int64_t)to->element_bytes));
  initialize_elements_of(to, type, declared);
}

// The addresses from the first element to the last one, for strides of either sign.
INLINE void span(const Descriptor *d, const char **first, const char **last) {
  *first = *last = d->base;
  for (int j = 0; j < d->rank; ++j) {
    int64_t reach = (d->dim[j].extent - 1) * d->dim[j].stride;
    if (reach < 0)
      *first += reach;
    else
      *last += reach;
  }
}

INLINE bool same_places(const Descriptor *a, const Descriptor *b) {
  if (a->base != b->base || a->rank != b->rank)
    return false;
  bool same = true;
  for (int j = 0; j < a->rank; ++j)
    same &= a->dim[j].stride == b->dim[j].stride || a->dim[j].extent == 1;
  return same;
}

INLINE bool overlap(const Descriptor *to, const Descriptor *from) {
  if (elements(to) == 0 || elements(from) == 0)
    return false;
  const char *first, *last, *other_first, *other_last;
  span(to, &first, &last);
  span(from, &other_first, &other_last);
  return first < other_last + from->element_bytes && other_first < last + to->element_bytes && !same_places(to, from);
}

// The values of `from` go to memory of their own first.
INLINE void copy_overlapping(const Descriptor *to, const Descriptor *from, ElementType type, void *declared, Way way) {
  struct { Descriptor d; Dimension dim[MAX_RANK]; void *addendum[2]; } own;
  Descriptor *values = &own.d;
  values->rank = from->rank;
  values->extra = from->extra;
  values->attribute = ALLOCATABLE;
  values->version = VERSION;
  allocate_like(values, from, type, declared);
  copy_elements_of(values, from, type, declared, DUPLICATE);
  copy_elements_of(to, values, type, declared, way);
  destroy_elements_of(values, type, declared);
  free(values->base);
}

BY_TYPE static void assign(Descriptor *to, const Descriptor *from, bool may_overlap, void *declared, Way way) {
  ElementType type = element_type(from);
  char *old = NULL;
  Descriptor *old_elements = NULL;
  struct { Descriptor d; Dimension dim[MAX_RANK]; void *addendum[2]; } before;
  if (to->attribute == ALLOCATABLE) {
    bool other = to->base && (other_shape(to, from) || to->element_bytes != type.bytes ||
                              (type.code == DERIVED && derived_type(from) && derived_type(to) != derived_type(from)));
    if (to->base && other) {
      old = to->base;
      if (type.code == DERIVED) {
        // Its own components must go, after the new value was made of what may be among them.
        old_elements = &before.d;
        old_elements->base = to->base;
        old_elements->element_bytes = to->element_bytes;
        old_elements->rank = to->rank;
        old_elements->type = DERIVED;
        old_elements->extra = to->extra;
        for (int j = 0; j < to->rank; ++j)
          old_elements->dim[j] = to->dim[j];
        set_derived_type(old_elements, derived_type(to));
      }
    }
    if (!to->base || other) {
      allocate_like(to, from, type, declared);
      may_overlap = false;
    }
  }
  if (may_overlap && __builtin_expect(overlap(to, from), 0)) {
    copy_overlapping(to, from, type, declared, way);
  } else {
    copy_elements_of(to, from, type, declared, way);
  }
  if (old) {
    if (old_elements)
      destroy_elements_of(old_elements, type, declared);
    free(old);
  }
}

// Functions with `Of` behind their name are those for a declared type that the call tells.

// What the left side was ends first.
BY_TYPE void enzyme_fortran_AssignOf(Descriptor *to, const Descriptor *from, const char *file, int line, void *declared) {
  if (to->base && to != from)
    finalize_elements_of(to, element_type(to), declared);
  assign(to, from, true, declared, COPY);
}
BY_TYPE void enzyme_fortran_Assign(Descriptor *to, const Descriptor *from, const char *file, int line) {
  enzyme_fortran_AssignOf(to, from, file, line, NULL);
}
BY_TYPE void enzyme_fortran_AssignPolymorphicOf(Descriptor *to, const Descriptor *from, const char *file, int line,
                                                void *declared) {
  enzyme_fortran_AssignOf(to, from, file, line, declared);
}
BY_TYPE void enzyme_fortran_AssignPolymorphic(Descriptor *to, const Descriptor *from, const char *file, int line) {
  enzyme_fortran_AssignOf(to, from, file, line, NULL);
}

// The left side is a new temporary: it holds nothing yet that would have to end.
BY_TYPE void enzyme_fortran_AssignTemporaryOf(Descriptor *to, const Descriptor *from, const char *file, int line,
                                              void *declared) {
  ElementType type = element_type(from);
  if (to->base)
    initialize_elements_of(to, type, declared);
  else if (to->attribute == ALLOCATABLE)
    allocate_like(to, from, type, declared);
  copy_elements_of(to, from, type, declared, DUPLICATE);
}
BY_TYPE void enzyme_fortran_AssignTemporary(Descriptor *to, const Descriptor *from, const char *file, int line) {
  enzyme_fortran_AssignTemporaryOf(to, from, file, line, NULL);
}

// A temporary that is contiguous, for an argument that is not; its descriptor holds nothing yet.
BY_TYPE void enzyme_fortran_CopyInAssign(Descriptor *temporary, const Descriptor *variable, const char *file, int line) {
  ElementType type = element_type(variable);
  establish(temporary, variable, variable->rank);
  allocate_like(temporary, variable, type, NULL);
  copy_elements(temporary, variable, type);
}

// Back to the variable (if it may have been changed), and the end of the temporary.
BY_TYPE void enzyme_fortran_CopyOutAssign(Descriptor *variable, Descriptor *temporary, const char *file, int line) {
  if (variable)
    copy_elements(variable, temporary, element_type(temporary));
  free(temporary->base);
  temporary->base = NULL;
}

BY_TYPE int32_t enzyme_fortran_MoveAlloc(Descriptor *to, Descriptor *from, void *type, bool has_status, const Descriptor *message,
                           const char *file, int line) {
  if (to == from)
    return 0;
  ElementType type_of_elements = element_type(from);
  if (to->base) {
    finalize_elements_of(to, type_of_elements, NULL);
    destroy_elements_of(to, type_of_elements, NULL);
    free(to->base);
  }
  to->base = from->base;
  to->element_bytes = type_of_elements.bytes;
  to->type = type_of_elements.code;
  for (int j = 0; j < from->rank; ++j)
    to->dim[j] = from->dim[j];
  if (type_of_elements.code == DERIVED && derived_type(from))
    set_derived_type(to, derived_type(from));
  from->base = NULL;
  if (type)
    set_derived_type(from, type);
  return 0;
}

BY_TYPE void enzyme_fortran_InitializeOf(const Descriptor *d, const char *file, int line, void *declared) {
  initialize_elements_of(d, element_type(d), declared);
}
BY_TYPE void enzyme_fortran_Initialize(const Descriptor *d, const char *file, int line) {
  enzyme_fortran_InitializeOf(d, file, line, NULL);
}
BY_TYPE void enzyme_fortran_FinalizeOf(const Descriptor *d, const char *file, int line, void *declared) {
  finalize_elements_of(d, element_type(d), declared);
}
BY_TYPE void enzyme_fortran_Finalize(const Descriptor *d, const char *file, int line) {
  enzyme_fortran_FinalizeOf(d, file, line, NULL);
}
BY_TYPE void enzyme_fortran_DestroyWithoutFinalizationOf(const Descriptor *d, void *declared) {
  destroy_elements_of(d, element_type(d), declared);
}
BY_TYPE void enzyme_fortran_DestroyWithoutFinalization(const Descriptor *d) {
  enzyme_fortran_DestroyWithoutFinalizationOf(d, NULL);
}
BY_TYPE void enzyme_fortran_DestroyOf(const Descriptor *d, void *declared) {
  finalize_elements_of(d, element_type(d), declared);
  destroy_elements_of(d, element_type(d), declared);
}
BY_TYPE void enzyme_fortran_Destroy(const Descriptor *d) { enzyme_fortran_DestroyOf(d, NULL); }

// The components of an element's type that have a descriptor, from the functions made of the tables of types.

// An allocatable component becomes what that of another object is: allocated or not, with its elements.
INLINE void copy_allocatable(Descriptor *to, const Descriptor *from, void *declared, Way way) {
  if (from->base == NULL) {
    if (to->base) {
      destroy_elements_of(to, element_type(to), declared);
      free(to->base);
      *(void **)&to->base = NULL;
    }
    return;
  }
  assign(to, from, false, declared, way);
}
BY_TYPE void enzyme_fortran_copy_allocatable(Descriptor *to, const Descriptor *from, void *declared) {
  copy_allocatable(to, from, declared, ASSIGN);
}
BY_TYPE void enzyme_fortran_duplicate_allocatable(Descriptor *to, const Descriptor *from, void *declared) {
  copy_allocatable(to, from, declared, DUPLICATE);
}

BY_TYPE void enzyme_fortran_finalize_allocatable(Descriptor *d, void *declared) {
  if (d->base)
    finalize_elements_of(d, element_type(d), declared);
}

BY_TYPE void enzyme_fortran_destroy_allocatable(Descriptor *d, void *declared) {
  if (d->base) {
    destroy_elements_of(d, element_type(d), declared);
    free(d->base);
    *(void **)&d->base = NULL;
  }
}

// Arrays of derived type among the components of another.
void enzyme_fortran_copy_array(void *type, char *to, const char *from, int64_t n, int64_t bytes) {
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_copy(type, type, to + i * bytes, from + i * bytes);
}
void enzyme_fortran_assign_array(void *type, char *to, const char *from, int64_t n, int64_t bytes) {
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_assign(type, type, to + i * bytes, from + i * bytes);
}
void enzyme_fortran_duplicate_array(void *type, char *to, const char *from, int64_t n, int64_t bytes) {
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_duplicate(type, type, to + i * bytes, from + i * bytes);
}
void enzyme_fortran_finalize_in_array_array(void *type, char *elements, int64_t n, int64_t bytes) {
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_finalize_in_array(type, type, elements + i * bytes);
}
void enzyme_fortran_destroy_array(void *type, char *elements, int64_t n, int64_t bytes) {
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_destroy(type, type, elements + i * bytes);
}
void enzyme_fortran_initialize_array(void *type, char *elements, int64_t n, int64_t bytes) {
  for (int64_t i = 0; i < n; ++i)
    enzyme_fortran_initialize(type, type, elements + i * bytes);
}

// ALLOCATE, DEALLOCATE and pointer assignment where the compiler calls the library for them.
#include "elements.h"

INLINE void get_memory(Descriptor *d, void *declared) {
  ElementType type = element_type(d);
  Form form = form_of(d);
  form.own = true;
  set_strides_in(d, form.rank);
  d->base = malloc(at_least_one(elements_in(d, form.rank) * (int64_t)type.bytes));
  initialize_elements_of(d, form, type, declared);
}

INLINE void give_memory_back(Descriptor *d) {
  free(d->base);
  *(void **)&d->base = NULL;
}

enum { ALREADY_ALLOCATED = 105, NOT_ALLOCATED = 106 }; // values of STAT= (flang/Runtime/iostat-consts.h has no names)

INLINE int failed(bool has_status, int status, const char *message) {
  require(has_status, message);
  return status;
}

BY_TYPE void enzyme_fortran_AllocatableInitDerivedForAllocate(Descriptor *d, void *type, int rank, int corank) {
  if (d->base)
    return;
  d->rank = rank;
  d->type = DERIVED;
  d->element_bytes = *(const int64_t *)((const char *)type + 88); // sizeInBytes in the table of a type
  set_derived_type(d, type);
}

void enzyme_fortran_AllocatableSetBounds(Descriptor *d, int j, int64_t lower, int64_t upper) {
  if (d->base == NULL)
    set_bounds(d, j, lower, upper);
}

void enzyme_fortran_PointerSetBounds(Descriptor *d, int j, int64_t lower, int64_t upper) { set_bounds(d, j, lower, upper); }

// The bounds are the mold's, too, where ALLOCATE has none of its own.
INLINE void apply_mold(Descriptor *d, const Descriptor *mold, int rank) {
  d->element_bytes = mold->element_bytes;
  d->type = mold->type;
  d->rank = rank;
  for (int j = 0; j < rank && j < mold->rank; ++j) {
    d->dim[j].lower = mold->dim[j].lower;
    d->dim[j].extent = mold->dim[j].extent;
  }
  if (derived_type(mold))
    set_derived_type(d, derived_type(mold));
}

BY_TYPE void enzyme_fortran_AllocatableApplyMold(Descriptor *d, const Descriptor *mold, int rank) {
  if (d->base == NULL)
    apply_mold(d, mold, rank);
}

BY_TYPE void enzyme_fortran_PointerApplyMold(Descriptor *d, const Descriptor *mold, int rank) { apply_mold(d, mold, rank); }

// Functions with `Of` behind their name are those for a declared type that the call tells.

BY_TYPE int enzyme_fortran_AllocatableAllocateOf(Descriptor *d, int64_t *async, bool has_status, const Descriptor *message, const char *file, int line, void *copy, void *declared) {
  if (d->base)
    return failed(has_status, ALREADY_ALLOCATED, "ALLOCATE of what is allocated");
  get_memory(d, declared);
  return 0;
}
BY_TYPE int enzyme_fortran_AllocatableAllocate(Descriptor *d, int64_t *async, bool has_status, const Descriptor *message, const char *file, int line, void *copy) {
  return enzyme_fortran_AllocatableAllocateOf(d, async, has_status, message, file, line, copy, NULL);
}

// The library writes a mark behind the data that its own PointerDeallocate looks for; the one below does not.
BY_TYPE int enzyme_fortran_PointerAllocateOf(Descriptor *d, bool has_status, const Descriptor *message, const char *file, int line, void *copy, void *declared) {
  get_memory(d, declared);
  return 0;
}
BY_TYPE int enzyme_fortran_PointerAllocate(Descriptor *d, bool has_status, const Descriptor *message, const char *file, int line, void *copy) {
  return enzyme_fortran_PointerAllocateOf(d, has_status, message, file, line, copy, NULL);
}

BY_TYPE int enzyme_fortran_AllocatableAllocateSourceOf(Descriptor *d, const Descriptor *source, bool has_status, const Descriptor *message, const char *file, int line, void *declared) {
  if (d->base)
    return failed(has_status, ALREADY_ALLOCATED, "ALLOCATE of what is allocated");
  get_memory(d, declared);
  copy_elements_of(d, source, forms_of(d, source), element_type(source), declared, DUPLICATE);
  return 0;
}
BY_TYPE int enzyme_fortran_AllocatableAllocateSource(Descriptor *d, const Descriptor *source, bool has_status, const Descriptor *message, const char *file, int line) {
  return enzyme_fortran_AllocatableAllocateSourceOf(d, source, has_status, message, file, line, NULL);
}

BY_TYPE int enzyme_fortran_PointerAllocateSourceOf(Descriptor *d, const Descriptor *source, bool has_status, const Descriptor *message, const char *file, int line, void *declared) {
  get_memory(d, declared);
  copy_elements_of(d, source, forms_of(d, source), element_type(source), declared, DUPLICATE);
  return 0;
}
BY_TYPE int enzyme_fortran_PointerAllocateSource(Descriptor *d, const Descriptor *source, bool has_status, const Descriptor *message, const char *file, int line) {
  return enzyme_fortran_PointerAllocateSourceOf(d, source, has_status, message, file, line, NULL);
}

BY_TYPE void enzyme_fortran_PointerNullifyDerived(Descriptor *d, void *type, int rank, int corank) {
  *(void **)&d->base = NULL;
  d->rank = rank;
  d->type = DERIVED;
  d->element_bytes = *(const int64_t *)((const char *)type + 88);
  set_derived_type(d, type);
}

BY_TYPE int enzyme_fortran_AllocatableDeallocateOf(Descriptor *d, bool has_status, const Descriptor *message, const char *file, int line, void *declared) {
  if (d->base == NULL)
    return failed(has_status, NOT_ALLOCATED, "DEALLOCATE of what is not allocated");
  end_elements(d, element_type(d), declared);
  give_memory_back(d);
  return 0;
}
BY_TYPE int enzyme_fortran_AllocatableDeallocate(Descriptor *d, bool has_status, const Descriptor *message, const char *file, int line) {
  return enzyme_fortran_AllocatableDeallocateOf(d, has_status, message, file, line, NULL);
}

BY_TYPE int enzyme_fortran_AllocatableDeallocatePolymorphicOf(Descriptor *d, void *type, bool has_status, const Descriptor *message, const char *file, int line, void *declared) {
  int status = enzyme_fortran_AllocatableDeallocateOf(d, has_status, message, file, line, declared);
  if (status == 0)
    set_derived_type(d, type);
  return status;
}
BY_TYPE int enzyme_fortran_AllocatableDeallocatePolymorphic(Descriptor *d, void *type, bool has_status, const Descriptor *message, const char *file, int line) {
  return enzyme_fortran_AllocatableDeallocatePolymorphicOf(d, type, has_status, message, file, line, NULL);
}

BY_TYPE int enzyme_fortran_PointerDeallocateOf(Descriptor *d, bool has_status, const Descriptor *message, const char *file, int line, void *declared) {
  if (d->base == NULL)
    return failed(has_status, NOT_ALLOCATED, "DEALLOCATE of a pointer that is not associated");
  end_elements(d, element_type(d), declared);
  give_memory_back(d);
  return 0;
}
BY_TYPE int enzyme_fortran_PointerDeallocate(Descriptor *d, bool has_status, const Descriptor *message, const char *file, int line) {
  return enzyme_fortran_PointerDeallocateOf(d, has_status, message, file, line, NULL);
}

BY_TYPE int enzyme_fortran_PointerDeallocatePolymorphicOf(Descriptor *d, void *type, bool has_status, const Descriptor *message, const char *file, int line, void *declared) {
  int status = enzyme_fortran_PointerDeallocateOf(d, has_status, message, file, line, declared);
  if (status == 0)
    set_derived_type(d, type);
  return status;
}
BY_TYPE int enzyme_fortran_PointerDeallocatePolymorphic(Descriptor *d, void *type, bool has_status, const Descriptor *message, const char *file, int line) {
  return enzyme_fortran_PointerDeallocatePolymorphicOf(d, type, has_status, message, file, line, NULL);
}

BY_TYPE void enzyme_fortran_AllocatableDeallocateNoFinal(Descriptor *d, const char *file, int line) {
  if (d->base == NULL)
    return;
  destroy_elements_of(d, form_of(d), element_type(d), NULL);
  give_memory_back(d);
}

bool enzyme_fortran_PointerIsAssociated(const Descriptor *d) { return d->base != NULL; }

bool enzyme_fortran_PointerIsAssociatedWith(const Descriptor *d, const Descriptor *target) {
  if (target == NULL)
    return d->base != NULL;
  if (d->base == NULL || d->base != target->base || d->rank != target->rank)
    return false;
  bool same = true;
  for (int j = 0; j < d->rank; ++j)
    same &= d->dim[j].extent == target->dim[j].extent && d->dim[j].extent > 0 &&
            (d->dim[j].stride == target->dim[j].stride || d->dim[j].extent == 1);
  return same;
}

void enzyme_fortran_PointerAssociateScalar(Descriptor *d, char *target) { d->base = target; }

INLINE void associate(Descriptor *d, const Descriptor *target) {
  d->base = target->base;
  d->element_bytes = target->element_bytes;
  d->type = target->type;
  d->rank = target->rank;
  for (int j = 0; j < target->rank; ++j)
    d->dim[j] = target->dim[j];
  if (derived_type(target))
    set_derived_type(d, derived_type(target));
}

BY_TYPE void enzyme_fortran_PointerAssociate(Descriptor *d, const Descriptor *target) { associate(d, target); }

BY_TYPE void enzyme_fortran_PointerAssociateLowerBounds(Descriptor *d, const Descriptor *target, const Descriptor *bounds) {
  associate(d, target);
  for (int j = 0; j < target->rank; ++j)
    d->dim[j].lower = d->dim[j].extent ? integer(bounds, j) : 1;
}

// `bounds` is a 2 by rank array of lower and upper bounds; the target is contiguous, or of rank 1.
INLINE void remap(Descriptor *d, const Descriptor *target, const Descriptor *bounds) {
  int rank = bounds->dim[1].extent;
  int64_t stride = target->rank == 1 ? target->dim[0].stride : (int64_t)target->element_bytes;
  d->base = target->base;
  d->element_bytes = target->element_bytes;
  d->type = target->type;
  void *type = derived_type(target);
  d->rank = rank;
  for (int j = 0; j < rank; ++j) {
    set_bounds(d, j, integer(bounds, 2 * j), integer(bounds, 2 * j + 1));
    d->dim[j].stride = stride;
    stride *= d->dim[j].extent;
  }
  if (type)
    set_derived_type(d, type);
}

BY_TYPE void enzyme_fortran_PointerAssociateRemapping(Descriptor *d, const Descriptor *target, const Descriptor *bounds,
                                                const char *file, int line) {
  remap(d, target, bounds);
}

BY_TYPE void enzyme_fortran_PointerAssociateRemappingMonomorphic(Descriptor *d, const Descriptor *target,
                                                           const Descriptor *bounds, const char *file, int line) {
  remap(d, target, bounds);
}

enum { PRESERVE_LOWER_BOUNDS, LOWER_BOUNDS_1, LOWER_BOUNDS_0 };

// Another view of `from`, e.g. of an assumed rank that is known now.
void enzyme_fortran_CopyAndUpdateDescriptor(Descriptor *to, const Descriptor *from, void *type, uint8_t attribute,
                                            int lower_bounds) {
  to->base = from->base;
  to->element_bytes = from->element_bytes;
  to->version = from->version;
  to->type = from->type;
  to->rank = from->rank;
  to->attribute = attribute;
  to->extra = from->extra;
  for (int j = 0; j < from->rank; ++j) {
    to->dim[j] = from->dim[j];
    if (lower_bounds != PRESERVE_LOWER_BOUNDS)
      to->dim[j].lower = lower_bounds == LOWER_BOUNDS_1;
  }
  if (from->extra & 1) {
    void **addendum = (void **)&to->dim[to->rank], **given = (void **)&from->dim[from->rank];
    addendum[0] = type ? type : given[0];
    ((int64_t *)addendum)[1] = ((int64_t *)given)[1];
  }
}

bool enzyme_fortran_IsContiguous(const Descriptor *d) { return contiguous(d); }

// Array constructors whose length is found as they grow: `to` has room for `room` elements, `next` of them are filled.
typedef struct {
  Descriptor *to;
  int64_t next, room;
  const char *file;
  int32_t line;
  bool length_from_values;
} ArrayConstructor;

void enzyme_fortran_InitArrayConstructorVector(ArrayConstructor *v, Descriptor *to, bool length_from_values,
                                         const char *file, int line) {
  v->to = to;
  v->next = 0;
  v->room = to->base ? to->dim[0].extent : 0;
  v->length_from_values = length_from_values;
  if (to->base == NULL) {
    to->dim[0].lower = 1;
    to->dim[0].extent = 0;
    to->dim[0].stride = to->element_bytes;
  }
}

INLINE void make_room(ArrayConstructor *v, int64_t more, const Descriptor *from, ElementType type) {
  Descriptor *to = v->to;
  if (v->length_from_values && to->base == NULL) {
    to->element_bytes = from->element_bytes;
    to->dim[0].stride = to->element_bytes;
    if (derived_type(from))
      set_derived_type(to, derived_type(from));
  }
  int64_t wanted = v->next + more;
  if (to->base == NULL) {
    v->room = wanted < 32 ? 32 : wanted;
    to->base = malloc(v->room * (int64_t)to->element_bytes);
  } else if (wanted > v->room) {
    v->room = wanted > 2 * v->room ? wanted : 2 * v->room;
    char *old = to->base;
    to->base = malloc(v->room * (int64_t)to->element_bytes);
    make_new(to->base, old, v->next, from, type);
    if (type.code == DERIVED)
      enzyme_fortran_destroy_run(derived_type(from), NULL, old, v->next);
    free(old);
  }
  to->dim[0].extent = wanted;
}

BY_TYPE void enzyme_fortran_PushArrayConstructorValue(ArrayConstructor *v, const Descriptor *from) {
  ElementType type = element_type(from);
  Form form = form_of(from);
  int64_t n = elements_in(from, form.rank);
  make_room(v, n, from, type);
  char *to = v->to->base + v->next * (int64_t)v->to->element_bytes;
  if (packed(from, form))
    make_new(to, from->base, n, from, type);
  else
    for (int64_t i = 0; i < n; ++i)
      make_new(to + i * (int64_t)type.bytes, from->base + offset_in(from, form.rank, i), 1, from, type);
  v->next += n;
}

// A scalar of an intrinsic type that is no text.
BY_TYPE void enzyme_fortran_PushArrayConstructorSimpleScalar(ArrayConstructor *v, void *from) {
  Descriptor *to = v->to;
  ElementType type = element_type(to);
  make_room(v, 1, to, type);
  move_numbers(to->base + v->next * (int64_t)type.bytes, from, type, 1);
  ++v->next;
}

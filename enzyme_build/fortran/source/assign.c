// Assignment, and what comes with it: copies in and out, moves, default values, the end of objects.
#include "elements.h"

INLINE bool other_shape(const Descriptor *to, const Descriptor *from, int rank) {
  bool other = false;
  for (int j = 0; j < rank; ++j)
    other |= to->dim[j].extent != from->dim[j].extent;
  return other;
}

// Is this certainly an object, or a class(*) which may hold something else later? Where that is not known, the writes to
// an addendum would be writes to any place.
INLINE bool holds_objects(Form form) { return KNOWN(form.addendum) && form.addendum; }

// Memory for the value of `from`: its extents and element type. `to` keeps its bounds when `from` is a scalar.
INLINE void allocate_like(Descriptor *to, const Descriptor *from, Forms forms, ElementType type, void *declared) {
  void *derived = type.code == DERIVED ? derived_type_in(from, forms.from) : NULL;
  to->type = type.code;
  to->element_bytes = type.bytes;
  if (derived || (holds_objects(forms.to) && type.code != DERIVED))
    set_derived_type_in(to, forms.to, derived);
  for (int j = 0; j < forms.from.rank; ++j) {
    to->dim[j].lower = from->dim[j].extent ? from->dim[j].lower : 1;
    to->dim[j].extent = from->dim[j].extent;
  }
  set_strides_in(to, forms.to.rank);
  to->base = malloc(at_least_one(elements_in(to, forms.to.rank) * (int64_t)type.bytes));
  forms.to.own = true;
  initialize_elements_of(to, forms.to, type, declared);
}

// The addresses from the first element to the last one, for strides of either sign.
INLINE void span(const Descriptor *d, int rank, const char **first, const char **last) {
  *first = *last = d->base;
  for (int j = 0; j < rank; ++j) {
    int64_t reach = (d->dim[j].extent - 1) * d->dim[j].stride;
    if (reach < 0)
      *first += reach;
    else
      *last += reach;
  }
}

INLINE bool same_places(const Descriptor *a, const Descriptor *b, Forms forms) {
  if (a->base != b->base || forms.to.rank != forms.from.rank)
    return false;
  bool same = true;
  for (int j = 0; j < forms.to.rank; ++j)
    same &= a->dim[j].stride == b->dim[j].stride || a->dim[j].extent == 1;
  return same;
}

INLINE bool overlap(const Descriptor *to, const Descriptor *from, Forms forms) {
  if (elements_in(to, forms.to.rank) == 0 || elements_in(from, forms.from.rank) == 0)
    return false;
  const char *first, *last, *other_first, *other_last;
  span(to, forms.to.rank, &first, &last);
  span(from, forms.from.rank, &other_first, &other_last);
  return first < other_last + from->element_bytes && other_first < last + to->element_bytes &&
         !same_places(to, from, forms);
}

// The values of `from` go to memory of their own first.
INLINE void copy_overlapping(const Descriptor *to, const Descriptor *from, Forms forms, ElementType type, void *declared,
                             Way way) {
  Forms alike = {forms.from, forms.from};
  struct { Descriptor d; Dimension dim[MAX_RANK]; void *addendum[2]; } own;
  Descriptor *values = &own.d;
  values->rank = forms.from.rank;
  values->extra = from->extra;
  values->attribute = ALLOCATABLE;
  values->version = VERSION;
  allocate_like(values, from, alike, type, declared);
  copy_elements_of(values, from, alike, type, declared, DUPLICATE);
  forms.from.own = true;
  copy_elements_of(to, values, forms, type, declared, way);
  destroy_elements_of(values, forms.from, type, declared);
  free(values->base);
}

// The descriptor of what a variable was before, for the end of its elements: they must go after the new value was
// made, of what may be among them.
typedef struct {
  Descriptor d;
  Dimension dim[MAX_RANK];
  void *addendum[2];
} Before;

INLINE void remember(Before *before, const Descriptor *d, Form form) {
  before->d.base = d->base;
  before->d.element_bytes = d->element_bytes;
  for (int j = 0; j < form.rank; ++j)
    before->d.dim[j] = d->dim[j];
  set_derived_type_in(&before->d, form, derived_type_in(d, form));
}

BY_TYPE static void assign(Descriptor *to, const Descriptor *from, Forms forms, ElementType type, bool may_overlap,
                           void *declared, Way way) {
  char *old = NULL;
  Before before;
  ElementType ended = type; // class(*) may have held an object before, and a number now
  if (holds_objects(forms.to))
    ended = element_type(to);
  if (forms.to.own) {
    void *derived = type.code == DERIVED ? derived_type_in(from, forms.from) : NULL;
    bool other = to->base && (other_shape(to, from, forms.from.rank) || to->element_bytes != type.bytes ||
                              (derived && derived_type_in(to, forms.to) != derived) ||
                              (holds_objects(forms.to) && to->type != type.code));
    if (to->base && other) {
      old = to->base;
      if (ended.code == DERIVED)
        remember(&before, to, forms.to);
    }
    if (!to->base || other) {
      allocate_like(to, from, forms, type, declared);
      may_overlap = false;
    }
  }
  if (may_overlap && __builtin_expect(overlap(to, from, forms), 0)) {
    copy_overlapping(to, from, forms, type, declared, way);
  } else {
    copy_elements_of(to, from, forms, type, declared, way);
  }
  if (old) {
    if (ended.code == DERIVED)
      destroy_elements_of(&before.d, forms.to, ended, declared);
    free(old);
  }
}

// Functions with `Of` behind their name are those for a declared type that the call tells.

// What the left side was ends first.
BY_TYPE void enzyme_fortran_AssignOf(Descriptor *to, const Descriptor *from, const char *file, int line, void *declared) {
  if (to->base && to != from)
    finalize_elements_of(to, form_of(to), element_type(to), declared);
  assign(to, from, forms_of(to, from), element_type(from), true, declared, COPY);
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
  Forms forms = forms_of(to, from);
  if (to->base)
    initialize_elements_of(to, forms.to, type, declared);
  else if (to->attribute == ALLOCATABLE)
    allocate_like(to, from, forms, type, declared);
  copy_elements_of(to, from, forms, type, declared, DUPLICATE);
}
BY_TYPE void enzyme_fortran_AssignTemporary(Descriptor *to, const Descriptor *from, const char *file, int line) {
  enzyme_fortran_AssignTemporaryOf(to, from, file, line, NULL);
}

// A temporary that is contiguous, for an argument that is not; its descriptor holds nothing yet.
BY_TYPE void enzyme_fortran_CopyInAssign(Descriptor *temporary, const Descriptor *variable, const char *file, int line) {
  ElementType type = element_type(variable);
  establish(temporary, variable, variable->rank);
  allocate_like(temporary, variable, forms_of(temporary, variable), type, NULL);
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
  int rank = from->rank; // what is known of it in front of the call is lost where memory is freed
  if (to->base) {
    end_elements(to, type_of_elements, NULL);
    free(to->base);
  }
  to->base = from->base;
  to->element_bytes = type_of_elements.bytes;
  to->type = type_of_elements.code;
  for (int j = 0; j < rank; ++j)
    to->dim[j] = from->dim[j];
  if (type_of_elements.code == DERIVED && derived_type(from))
    set_derived_type(to, derived_type(from));
  from->base = NULL;
  if (type)
    set_derived_type(from, type);
  return 0;
}

BY_TYPE void enzyme_fortran_InitializeOf(const Descriptor *d, const char *file, int line, void *declared) {
  initialize_elements_of(d, form_of(d), element_type(d), declared);
}
BY_TYPE void enzyme_fortran_Initialize(const Descriptor *d, const char *file, int line) {
  enzyme_fortran_InitializeOf(d, file, line, NULL);
}
BY_TYPE void enzyme_fortran_FinalizeOf(const Descriptor *d, const char *file, int line, void *declared) {
  finalize_elements_of(d, form_of(d), element_type(d), declared);
}
BY_TYPE void enzyme_fortran_Finalize(const Descriptor *d, const char *file, int line) {
  enzyme_fortran_FinalizeOf(d, file, line, NULL);
}
BY_TYPE void enzyme_fortran_DestroyWithoutFinalizationOf(const Descriptor *d, void *declared) {
  destroy_elements_of(d, form_of(d), element_type(d), declared);
}
BY_TYPE void enzyme_fortran_DestroyWithoutFinalization(const Descriptor *d) {
  enzyme_fortran_DestroyWithoutFinalizationOf(d, NULL);
}
BY_TYPE void enzyme_fortran_DestroyOf(const Descriptor *d, void *declared) {
  end_elements(d, element_type(d), declared);
}
BY_TYPE void enzyme_fortran_Destroy(const Descriptor *d) { enzyme_fortran_DestroyOf(d, NULL); }

// The components of an element's type that have a descriptor, from the functions made of the tables of types, which know
// the component's type code, rank, and the bytes of an element (0: they vary).

INLINE Form form_of_component(int code, int rank) {
  Form form = {rank, true, code == DERIVED};
  return form;
}
INLINE ElementType type_of_component(const Descriptor *d, int code, int64_t bytes, void *declared) {
  if (code == DERIVED && declared == NULL) // class(*), which may hold anything
    return element_type(d);
  ElementType type = {code, bytes ? (size_t)bytes : d->element_bytes};
  return type;
}

// An allocatable component becomes what that of another object is: allocated or not, with its elements.
INLINE void copy_allocatable(Descriptor *to, const Descriptor *from, void *declared, int code, int rank, int64_t bytes,
                             Way way) {
  Form form = form_of_component(code, rank);
  if (from->base == NULL) {
    if (to->base) {
      destroy_elements_of(to, form, type_of_component(to, code, bytes, declared), declared);
      free(to->base);
      *(void **)&to->base = NULL;
    }
    return;
  }
  Forms forms = {form, form};
  assign(to, from, forms, type_of_component(from, code, bytes, declared), false, declared, way);
}
BY_TYPE void enzyme_fortran_copy_allocatable(Descriptor *to, const Descriptor *from, void *declared, int code, int rank,
                                              int64_t bytes) {
  copy_allocatable(to, from, declared, code, rank, bytes, ASSIGN);
}
BY_TYPE void enzyme_fortran_duplicate_allocatable(Descriptor *to, const Descriptor *from, void *declared, int code, int rank,
                                                  int64_t bytes) {
  copy_allocatable(to, from, declared, code, rank, bytes, DUPLICATE);
}

BY_TYPE void enzyme_fortran_finalize_allocatable(Descriptor *d, void *declared, int code, int rank, int64_t bytes) {
  if (d->base)
    finalize_elements_of(d, form_of_component(code, rank), type_of_component(d, code, bytes, declared), declared);
}

BY_TYPE void enzyme_fortran_destroy_allocatable(Descriptor *d, void *declared, int code, int rank, int64_t bytes) {
  if (d->base) {
    destroy_elements_of(d, form_of_component(code, rank), type_of_component(d, code, bytes, declared), declared);
    free(d->base);
    *(void **)&d->base = NULL;
  }
}

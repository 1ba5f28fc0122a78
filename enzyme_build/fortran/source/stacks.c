// What FORALL keeps between its two passes: values of all iterations, or the places that they go to, in their order.
#include "elements.h"

typedef struct {
  Descriptor **kept;
  int64_t count, room;
} Stack;

INLINE Stack *empty_stack(void) {
  Stack *s = malloc(sizeof *s);
  s->kept = NULL;
  s->count = s->room = 0;
  return s;
}

INLINE void copy_descriptor(Descriptor *to, const Descriptor *from, Form form) {
  to->base = from->base;
  to->element_bytes = from->element_bytes;
  to->version = from->version;
  to->rank = from->rank;
  to->type = from->type;
  to->attribute = from->attribute;
  to->extra = from->extra;
  for (int j = 0; j < form.rank; ++j)
    to->dim[j] = from->dim[j];
  set_derived_type_in(to, form, derived_type_in(from, form));
}

// Another descriptor like that, at the end.
INLINE Descriptor *push(Stack *s, const Descriptor *like, Form form) {
  if (s->count == s->room) {
    Descriptor **old = s->kept;
    s->room = s->room ? 2 * s->room : 8;
    s->kept = malloc(s->room * (int64_t)sizeof *s->kept);
    for (int64_t i = 0; i < s->count; ++i)
      s->kept[i] = old[i];
    free(old);
  }
  Descriptor *d = malloc(sizeof(Descriptor) + form.rank * sizeof(Dimension) + (form.addendum ? 2 * sizeof(void *) : 0));
  copy_descriptor(d, like, form);
  s->kept[s->count++] = d;
  return d;
}

INLINE void end_stack(Stack *s) {
  for (int64_t i = 0; i < s->count; ++i)
    free(s->kept[i]);
  free(s->kept);
  free(s);
}

void *enzyme_fortran_CreateValueStack(const char *file, int line) { return empty_stack(); }
BY_TYPE void enzyme_fortran_PushValue(Stack *s, const Descriptor *value) {
  ElementType type = element_type(value);
  Form form = form_of(value), own = {form.rank, true, form.addendum};
  Forms forms = {own, form};
  Descriptor *d = push(s, value, form);
  d->attribute = ALLOCATABLE;
  allocate_like(d, value, forms, type, NULL);
  copy_elements_of(d, value, forms, type, NULL, DUPLICATE);
}
BY_TYPE void enzyme_fortran_ValueAt(Stack *s, uint64_t i, Descriptor *value) {
  copy_descriptor(value, s->kept[i], form_of(s->kept[i]));
}
BY_TYPE void enzyme_fortran_DestroyValueStack(Stack *s) {
  for (int64_t i = 0; i < s->count; ++i) {
    Descriptor *d = s->kept[i];
    destroy_elements_of(d, form_of(d), element_type(d), NULL);
    free(d->base);
  }
  end_stack(s);
}

void *enzyme_fortran_CreateDescriptorStack(const char *file, int line) { return empty_stack(); }
BY_TYPE void enzyme_fortran_PushDescriptor(Stack *s, const Descriptor *place) { push(s, place, form_of(place)); }
BY_TYPE void enzyme_fortran_DescriptorAt(Stack *s, uint64_t i, Descriptor *place) {
  copy_descriptor(place, s->kept[i], form_of(s->kept[i]));
}
void enzyme_fortran_DestroyDescriptorStack(Stack *s) { end_stack(s); }

// What C makes of descriptors with ISO_Fortran_binding.h (Fortran 2018, 18.5.5). The body of CFI_X is called
// enzyme_fortran_CFI_X.
#include "elements.h"

enum {
  SUCCESS = 0, BASE_IS_NULL = 11, BASE_IS_NOT_NULL = 12, INVALID_BYTES = 13, INVALID_RANK = 14, INVALID_ATTRIBUTE = 16,
  INVALID_EXTENT = 17, INVALID_DESCRIPTOR = 18, OUT_OF_BOUNDS = 20,
};
enum { POINTER = 1 };

// The bytes of an element whose type tells them; 0: the caller says them.
INLINE size_t bytes_of(int type) {
  switch (type) {
  case 1: case 7: case 12: case 17: case 39: case 45: return 1;
  case 2: case 8: case 13: case 25: case 26: case 46: return 2;
  case 3: case 9: case 14: case REAL4: case 32: case 33: case 47: return 4;
  case 4: case 5: case 6: case 10: case 15: case 18: case 19: case 20: case 22: case 23: case 24: case 41: case 48:
  case REAL8: case COMPLEX4: return 8;
  case 11: case 16: case 21: case 49: case REAL10: case REAL10_C: case REAL16: case COMPLEX8: return 16;
  case COMPLEX10: case COMPLEX10_C: case COMPLEX16: return 32;
  default: return 0;
  }
}

BY_TYPE int enzyme_fortran_CFI_establish(Descriptor *d, void *base, uint8_t attribute, int8_t type, size_t bytes,
                                         uint8_t rank, const int64_t *extents) {
  size_t known = bytes_of(type);
  if (rank > MAX_RANK)
    return INVALID_RANK;
  if (base && attribute == ALLOCATABLE)
    return BASE_IS_NOT_NULL;
  if (!known && !bytes)
    return INVALID_BYTES;
  d->element_bytes = known ? known : bytes;
  d->version = VERSION;
  d->rank = rank;
  d->type = type;
  d->attribute = attribute;
  d->extra = 0;
  *(void **)&d->base = base;
  if (base) {
    for (int j = 0; j < rank; ++j) {
      d->dim[j].lower = 0;
      d->dim[j].extent = extents[j];
    }
    set_strides_in(d, rank);
  }
  return SUCCESS;
}

void *enzyme_fortran_CFI_address(const Descriptor *d, const int64_t *subscripts) {
  char *at = d->base;
  for (int j = 0; j < d->rank; ++j)
    at += (subscripts[j] - d->dim[j].lower) * d->dim[j].stride;
  return at;
}

int enzyme_fortran_CFI_is_contiguous(const Descriptor *d) { return contiguous(d); }

BY_TYPE int enzyme_fortran_CFI_allocate(Descriptor *d, const int64_t *lower, const int64_t *upper, size_t bytes) {
  if (d->attribute != ALLOCATABLE && d->attribute != POINTER)
    return INVALID_ATTRIBUTE;
  if (d->attribute == ALLOCATABLE && d->base)
    return BASE_IS_NOT_NULL;
  size_t known = bytes_of(d->type);
  if (!known)
    d->element_bytes = bytes;
  int rank = d->rank;
  for (int j = 0; j < rank; ++j) {
    d->dim[j].lower = lower[j];
    d->dim[j].extent = upper[j] >= lower[j] ? upper[j] - lower[j] + 1 : 0;
  }
  set_strides_in(d, rank);
  d->base = malloc(at_least_one(elements_in(d, rank) * (int64_t)d->element_bytes));
  return SUCCESS;
}

int enzyme_fortran_CFI_deallocate(Descriptor *d) {
  if (d->attribute != ALLOCATABLE && d->attribute != POINTER)
    return INVALID_ATTRIBUTE;
  if (!d->base)
    return BASE_IS_NULL;
  free(d->base);
  *(void **)&d->base = NULL;
  return SUCCESS;
}

// A dimension whose stride is 0 is one element of the source's, and none of the result's.
BY_TYPE int enzyme_fortran_CFI_section(Descriptor *result, const Descriptor *source, const int64_t *lower,
                                       const int64_t *upper, const int64_t *strides) {
  if (!source->base)
    return BASE_IS_NULL;
  char *base = source->base;
  int rank = source->rank, at = 0;
  for (int j = 0; j < rank; ++j) {
    Dimension from = source->dim[j];
    int64_t step = strides ? strides[j] : 1;
    int64_t first = lower ? lower[j] : from.lower, last = upper ? upper[j] : from.lower + from.extent - 1;
    int64_t extent = step ? (last - first + step) / step : 1;
    base += (first - from.lower) * from.stride;
    if (step) {
      result->dim[at].lower = 0;
      result->dim[at].extent = extent > 0 ? extent : 0;
      result->dim[at].stride = step * from.stride;
      ++at;
    }
  }
  if (at != result->rank)
    return INVALID_RANK;
  result->base = base;
  return SUCCESS;
}

BY_TYPE int enzyme_fortran_CFI_select_part(Descriptor *result, const Descriptor *source, size_t displacement,
                                           size_t bytes) {
  if (!source->base)
    return BASE_IS_NULL;
  if (result->rank != source->rank)
    return INVALID_RANK;
  size_t known = bytes_of(result->type);
  if (!known)
    result->element_bytes = bytes;
  result->base = source->base + displacement;
  int rank = source->rank;
  for (int j = 0; j < rank; ++j) {
    result->dim[j].lower = 0;
    result->dim[j].extent = source->dim[j].extent;
    result->dim[j].stride = source->dim[j].stride;
  }
  return SUCCESS;
}

BY_TYPE int enzyme_fortran_CFI_setpointer(Descriptor *result, const Descriptor *source, const int64_t *lower) {
  if (result->attribute != POINTER)
    return INVALID_ATTRIBUTE;
  if (!source) {
    *(void **)&result->base = NULL;
    return SUCCESS;
  }
  if (result->rank != source->rank)
    return INVALID_RANK;
  int rank = source->rank;
  result->base = source->base;
  result->element_bytes = source->element_bytes;
  for (int j = 0; j < rank; ++j) {
    Dimension from = source->dim[j];
    result->dim[j].lower = lower ? lower[j] : from.lower;
    result->dim[j].extent = from.extent;
    result->dim[j].stride = from.stride;
  }
  return SUCCESS;
}

// Lines of an array along a dimension, for functions that reduce each to one element; the types that they are written for.
#pragma once
#include "descriptor.h"

typedef float Real4;
typedef double Real8;
typedef long double Real10;
typedef int8_t Integer1;
typedef int16_t Integer2;
typedef int32_t Integer4;
typedef int64_t Integer8;

#define REALS(DO, ...) DO(Real4, __VA_ARGS__) DO(Real8, __VA_ARGS__) DO(Real10, __VA_ARGS__)
#define INTEGERS(DO, ...)                                                                                             \
  DO(Integer1, __VA_ARGS__) DO(Integer2, __VA_ARGS__) DO(Integer4, __VA_ARGS__) DO(Integer8, __VA_ARGS__)
#define NUMBERS(DO, ...) REALS(DO, __VA_ARGS__) INTEGERS(DO, __VA_ARGS__)

// A line of elements: `n` of them, `stride` bytes apart, with the mask's elements beside them.
typedef struct {
  char *base;
  int64_t n, stride;
  const char *mask;
  int64_t mask_stride;
  int mask_bytes;
} Line;

INLINE bool holds(const char *at, int bytes) {
  switch (bytes) {
  case 1: return *(const int8_t *)at != 0;
  case 2: return *(const int16_t *)at != 0;
  case 4: return *(const int32_t *)at != 0;
  default: return *(const int64_t *)at != 0;
  }
}
INLINE bool taken(const Line *line, int64_t i) {
  return line->mask == NULL || holds(line->mask + i * line->mask_stride, line->mask_bytes);
}

// Line `i` of `x` along dimension `dim`; `i` counts in array element order of the other dimensions.
INLINE Line line_of(const Descriptor *x, int dim, int64_t i, const Descriptor *mask) {
  Line line = {x->base, x->dim[dim - 1].extent, x->dim[dim - 1].stride, NULL, 0, 0};
  bool masked = mask && mask->rank != 0;
  if (masked) {
    line.mask = mask->base;
    line.mask_stride = mask->dim[dim - 1].stride;
    line.mask_bytes = mask->element_bytes;
  }
  for (int j = 0; j < x->rank; ++j) {
    if (j == dim - 1)
      continue;
    int64_t extent = x->dim[j].extent, k = i % extent;
    line.base += k * x->dim[j].stride;
    if (masked)
      line.mask += k * mask->dim[j].stride;
    i /= extent;
  }
  if (mask && mask->rank == 0 && !truth(mask, 0))
    line.n = 0;
  return line;
}

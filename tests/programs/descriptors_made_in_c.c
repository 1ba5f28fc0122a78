// check: array n=6 with=descriptors_made_in_c_part.f90
/* C makes descriptors of its arrays, sections and parts of them, for Fortran procedures with assumed shape. */
#include <ISO_Fortran_binding.h>
#include <math.h>
#include <stdlib.h>

double weighted(const CFI_cdesc_t *x, const CFI_cdesc_t *y);
void doubled(CFI_cdesc_t *x);
void grown(CFI_cdesc_t *x, double by);

struct body {
  double mass, place[2];
};

static double sections(double *x, int n) {
  CFI_CDESC_T(2) grid;
  CFI_CDESC_T(1) row, column;
  CFI_index_t extents[2] = {2, n / 2}, at[2] = {1, 2};
  CFI_establish((CFI_cdesc_t *)&grid, x, CFI_attribute_other, CFI_type_double, 0, 2, extents);
  CFI_establish((CFI_cdesc_t *)&row, NULL, CFI_attribute_other, CFI_type_double, 0, 1, NULL);
  CFI_establish((CFI_cdesc_t *)&column, NULL, CFI_attribute_pointer, CFI_type_double, 0, 1, NULL);
  CFI_index_t lower[2] = {1, 0}, upper[2] = {1, n / 2 - 1}, every[2] = {0, 1}, back[2] = {0, -1};
  CFI_section((CFI_cdesc_t *)&row, (CFI_cdesc_t *)&grid, lower, upper, every);
  double s = weighted((CFI_cdesc_t *)&row, (CFI_cdesc_t *)&row);
  CFI_setpointer((CFI_cdesc_t *)&column, (CFI_cdesc_t *)&row, NULL);
  CFI_section((CFI_cdesc_t *)&row, (CFI_cdesc_t *)&grid, upper, lower, back);
  s += weighted((CFI_cdesc_t *)&row, (CFI_cdesc_t *)&column);
  return s + *(double *)CFI_address((CFI_cdesc_t *)&grid, at) * CFI_is_contiguous((CFI_cdesc_t *)&row);
}

static double parts(const double *x, int n) {
  struct body bodies[8];
  for (int i = 0; i < n; i++)
    bodies[i] = (struct body){1 + 0.1 * i, {x[i], x[i] * x[0]}};
  CFI_CDESC_T(1) all, places;
  CFI_index_t extents[1] = {n};
  CFI_establish((CFI_cdesc_t *)&all, bodies, CFI_attribute_other, CFI_type_struct, sizeof *bodies, 1, extents);
  CFI_establish((CFI_cdesc_t *)&places, NULL, CFI_attribute_other, CFI_type_double, 0, 1, NULL);
  CFI_select_part((CFI_cdesc_t *)&places, (CFI_cdesc_t *)&all, offsetof(struct body, place[1]), 0);
  doubled((CFI_cdesc_t *)&places);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += bodies[i].mass * bodies[i].place[0] * bodies[i].place[1];
  return s;
}

static double allocated(const double *x, int n) {
  CFI_CDESC_T(1) room;
  CFI_cdesc_t *d = (CFI_cdesc_t *)&room;
  CFI_index_t lower[1] = {1}, upper[1] = {n};
  CFI_establish(d, NULL, CFI_attribute_allocatable, CFI_type_double, 0, 1, NULL);
  CFI_allocate(d, lower, upper, 0);
  for (CFI_index_t i = 1; i <= n; i++)
    *(double *)CFI_address(d, &i) = sin(x[i - 1]);
  grown(d, x[0]);
  double s = 0;
  for (CFI_index_t i = 0; i < d->dim[0].extent; i++)
    s += ((double *)d->base_addr)[i] * (i + 1);
  CFI_deallocate(d);
  return s;
}

double objective(double *x, int n) { return sections(x, n) + parts(x, n) + allocated(x, n); }

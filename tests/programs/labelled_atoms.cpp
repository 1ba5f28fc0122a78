// check: main
// Atoms with names in arrays of structs, sorted and swapped, with a shadow that was made by copying the objects.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
struct Atom { double pos[3]; char symbol[4]; char residue[10]; double charge; bool fixed; };
struct Cell { Atom atoms[4]; int count; char title[20]; double scale; };
__attribute__((noinline)) static double energy(Cell *cells, int n) {
  std::vector<Atom> all;
  for (int c = 0; c < n; c++) for (int i = 0; i < cells[c].count; i++) { Atom a = cells[c].atoms[i]; a.charge *= cells[c].scale; all.push_back(a); }
  std::sort(all.begin(), all.end(), [](const Atom &a, const Atom &b) { return a.charge < b.charge; });
  double e = 0;
  for (size_t i = 0; i < all.size(); i++) for (size_t j = 0; j < i; j++) { double d = 0.1; for (int k = 0; k < 3; k++) d += (all[i].pos[k] - all[j].pos[k]) * (all[i].pos[k] - all[j].pos[k]); e += all[i].charge * all[j].charge / std::sqrt(d) * (all[j].fixed ? 1 : 2); }
  std::swap(cells[0], cells[1]);
  e += cells[0].scale * cells[0].scale;
  cells[1].atoms[0] = all[1];
  return e;
}
static void set(Cell *c, const double *x) { std::memset(c, 0, 2 * sizeof(Cell)); for (int k = 0; k < 2; k++) { c[k].count = 3; std::strcpy(c[k].title, k ? "second cell" : "first"); c[k].scale = x[0] + k; for (int i = 0; i < 3; i++) { Atom &a = c[k].atoms[i]; std::strcpy(a.symbol, "He"); std::strcpy(a.residue, "ALA"); a.charge = x[1 + i] + k; a.fixed = i & 1; for (int d = 0; d < 3; d++) a.pos[d] = x[4 + d] * (i + 1) + k * d; } } }
int main() {
  double x[7] = {0.8, 0.3, -0.4, 0.6, 0.2, 0.5, -0.7}, u[7] = {0.4, 0.2, 0.9, -0.3, 0.6, 0.1, -0.5}, h = 1e-6, f[2];
  Cell c[2], d[2];
  auto pack = [&](Cell *t) { std::memset(t, 0, 2 * sizeof(Cell)); for (int k = 0; k < 2; k++) { t[k].scale = u[0]; for (int i = 0; i < 3; i++) { Atom &a = t[k].atoms[i]; a.charge = u[1 + i]; for (int e = 0; e < 3; e++) a.pos[e] = u[4 + e] * (i + 1); } } };
  set(c, x); pack(d);
  double fwd = __enzyme_fwddiff((void *)energy, enzyme_dup, c, d, enzyme_const, 2);
  set(c, x); std::memcpy((void *)d, c, sizeof c);
  for (int k = 0; k < 2; k++) { d[k].scale = 0; for (int i = 0; i < 4; i++) { d[k].atoms[i].charge = 0; for (int e = 0; e < 3; e++) d[k].atoms[i].pos[e] = 0; } }
  __enzyme_autodiff((void *)energy, enzyme_dup, c, d, enzyme_const, 2);
  double rev = 0; for (int k = 0; k < 2; k++) { rev += d[k].scale * u[0]; for (int i = 0; i < 3; i++) { Atom &a = d[k].atoms[i]; rev += a.charge * u[1 + i]; for (int e = 0; e < 3; e++) rev += a.pos[e] * u[4 + e] * (i + 1); } }
  for (int s = 0; s < 2; s++) { double y[7]; for (int i = 0; i < 7; i++) y[i] = x[i] + (s ? h : -h) * u[i]; set(c, y); f[s] = energy(c, 2); }
  double fd = (f[1] - f[0]) / (2 * h);
  if (std::fabs(fwd - rev) > 1e-12 || std::fabs(fwd - fd) > 1e-7) { std::printf("%.15g %.15g %.12g\n", fwd, rev, fd); return 1; }
  return 0;
}

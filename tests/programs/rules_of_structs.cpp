// check: main flags=-Itests/support
// Structs by value that travel in registers: their tangents and shadows stand behind the whole struct.
#include "expect.h"
template <class... T> double __enzyme_autodiff(void *, T...);
template <class... T> double __enzyme_fwddiff(void *, T...);
struct P { double x, y; };
struct V { const double *p; long n; };
static P turn(P p, double a) { return {p.x*a, p.y-a}; }
static P tan_turn(P p, P dp, double a, double da) { return {10*(dp.x*a+p.x*da), 20*(dp.y-da)}; }
static void* __enzyme_register_derivative_turn[] __attribute__((used)) = {(void*)turn,(void*)tan_turn};
static double sum(V v) { double s=0; for (long i=0;i<v.n;i++) s+=v.p[i]; return s; }
static double aug_sum(V v, V dv) { (void)dv; return sum(v); }
static void rev_sum(V v, V dv, double seed) { for (long i=0;i<v.n;i++) const_cast<double*>(dv.p)[i]+=7*seed; }
static double tan_sum(V v, V dv) { (void)v; return 5*sum(dv); }
void* __enzyme_register_gradient_sum[] = {(void*)sum,(void*)aug_sum,(void*)rev_sum};
void* __enzyme_register_derivative_sum[] = {(void*)sum,(void*)tan_sum};
static double f(double x, double y, double a) { P p = turn({x,y},a); return p.x+2*p.y; }
static double g(const double *x, long n) { return 2*sum({x,n}); }
int main() {
  EXPECT(__enzyme_fwddiff((void*)f, 2.,1.,3.,0.,5.,0.), 50);
  EXPECT(__enzyme_fwddiff((void*)f, 2.,0.,3.,1.,5.,0.), 40);
  EXPECT(__enzyme_fwddiff((void*)f, 2.,0.,3.,0.,5.,1.), 20-40);
  double x[2]={1,2}, d[2]={0};
  __enzyme_autodiff((void*)g, x, d, 2L);
  EXPECT(d[0], 14);
  double e[2]={1,2};
  EXPECT(__enzyme_fwddiff((void*)g, x, e, 2L), 30);
  return expect_failures != 0;
}

// check: main
// Adjoints of structs by value that come in registers: integers beside numbers, several structs of floats.
#include <math.h>
extern int enzyme_out, enzyme_const;

typedef struct { double d; int i; } counted;
typedef struct { long i; double d; } numbered;
typedef struct { float x, y, z; } float3;
typedef struct { float3 a, b; } two_of_floats;
typedef struct { counted a; float3 b; double c; } all;
extern counted __enzyme_autodiff_counted(void *, ...);
extern numbered __enzyme_autodiff_numbered(void *, ...);
extern two_of_floats __enzyme_autodiff_floats(void *, ...);
extern all __enzyme_autodiff_all(void *, ...);

static double of_counted(counted r) { return r.d * r.d * r.i; }
static double of_numbered(numbered r) { return r.d * r.d * r.d * r.i; }
static double of_floats(float3 a, float3 b) { return 2 * a.x + 3 * a.y + 5 * a.z + 7 * b.x + 11 * b.y + 13 * b.z; }
static double of_all(counted a, float3 b, double c) { return a.d * a.i * c + b.x * b.y + b.z * c; }

int main(void)
{
    counted c = {3, 4};
    numbered m = {2, 3};
    float3 a = {1, 2, 3}, b = {4, 5, 6};
    if (__enzyme_autodiff_counted((void *)of_counted, enzyme_out, c).d != 24)
        return 1;
    if (__enzyme_autodiff_numbered((void *)of_numbered, enzyme_out, m).d != 54)
        return 2;
    two_of_floats g = __enzyme_autodiff_floats((void *)of_floats, enzyme_out, a, enzyme_out, b);
    if (g.a.x != 2 || g.a.y != 3 || g.a.z != 5 || g.b.x != 7 || g.b.y != 11 || g.b.z != 13)
        return 3;
    all w = __enzyme_autodiff_all((void *)of_all, enzyme_out, c, enzyme_out, a, 2.0);
    if (w.a.d != 8 || w.a.i != 0 || w.b.x != 2 || w.b.y != 1 || w.b.z != 2 || w.c != 12 + 3)
        return 4;
    return 0;
}

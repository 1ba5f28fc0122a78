// check: main
// What a derivative returns of structs that fill their registers otherwise than their memory.
#include <math.h>
extern int enzyme_dup, enzyme_out, enzyme_primal_return, enzyme_width, enzyme_const;
typedef struct { float x, y, z; } three;
typedef struct { float x; int n; float y; } mixed;
typedef struct { three value, tangent; } three_both;
typedef struct { three lane[2]; } three_lanes;
typedef struct { mixed value, tangent; } mixed_both;
typedef struct { void *tape; three value; } three_taped;
extern three_both __enzyme_fwddiff_3(void *, ...);
extern three_lanes __enzyme_fwddiff_3l(void *, ...);
extern mixed_both __enzyme_fwddiff_m(void *, ...);
extern three_taped __enzyme_augmentfwd_3(void *, ...);
extern three __enzyme_reverse_3(void *, ...);
static three twice(three p) { three r = {2 * p.x, 3 * p.y, p.z * p.z}; return r; }
static mixed scaled(double f) { mixed r = {(float)(2 * f), 7, (float)(f * f)}; return r; }
int main(void)
{
    const three p = {1, 2, 3}, d = {1, 2, 1}, e = {0, 1, 2};
    const three_both b = __enzyme_fwddiff_3((void *)twice, enzyme_primal_return, enzyme_dup, p, d);
    if (b.value.x != 2 || b.value.y != 6 || b.value.z != 9 || b.tangent.x != 2 || b.tangent.y != 6 || b.tangent.z != 6)
        return 1;
    const three_lanes l = __enzyme_fwddiff_3l((void *)twice, enzyme_width, 2, enzyme_dup, p, d, e);
    if (l.lane[0].x != 2 || l.lane[0].y != 6 || l.lane[0].z != 6)
        return 2;
    if (l.lane[1].x != 0 || l.lane[1].y != 3 || l.lane[1].z != 12)
        return 3;
    const mixed_both m = __enzyme_fwddiff_m((void *)scaled, enzyme_primal_return, enzyme_dup, 3.0, 1.0);
    if (m.value.x != 6 || m.value.n != 7 || m.value.y != 9 || m.tangent.x != 2 || m.tangent.y != 6)
        return 4;
    const three_taped t = __enzyme_augmentfwd_3((void *)twice, enzyme_out, p);
    if (t.value.x != 2 || t.value.y != 6 || t.value.z != 9)
        return 5;
    const three bar = __enzyme_reverse_3((void *)twice, enzyme_out, p, &e, t.tape);
    return bar.x == 0 && bar.y == 3 && bar.z == 12 ? 0 : 6;
}

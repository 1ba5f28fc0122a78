// check: array n=6 tol=4e-3 identity=1e-4
// Members of two precisions, found by tables of their offsets and types.
// Properties by tables of offsets and types.
#include <stddef.h>
#include <stdlib.h>
typedef struct { size_t offset; int is_float; } field;
typedef struct { double life, speed; float rate, size; } emitter;
static const field fields[] = {{offsetof(emitter, rate), 1}, {offsetof(emitter, life), 0}, {offsetof(emitter, speed), 0}, {0, 2}};
static void blend(emitter *to, const emitter *from, double t)
{
    for (const field *f = fields; f->is_float < 2; f++) {
        char *p = (char *)to + f->offset;
        const char *q = (const char *)from + f->offset;
        if (f->is_float) *(float *)p += (float)t * *(const float *)q;
        else *(double *)p += t * *(const double *)q;
    }
}
double objective(const double *x, int n)
{
    emitter *v = malloc(2 * sizeof *v);
    v[0] = (emitter){x[0], x[1], (float)x[2], 1}; v[1] = (emitter){x[2] * x[3], x[4], (float)x[5], 2};
    blend(v, v + (n > 2), x[0] * 0.5);
    double r = v->rate * v->life + v->speed * v[1].rate;
    free(v);
    return r;
}

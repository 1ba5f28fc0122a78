// check: array n=4 range=0.3:0.9 tol=1e-4 identity=1e-6
#include <stdlib.h>
typedef struct voice { struct voice *next; int note; double level, rate[3]; } voice;
typedef struct { voice pool[3], *active, *spare; float mix[8]; } synth;
static void note_on(synth *s, int note, const double *x)
{
    voice *v = s->spare;
    if (v) s->spare = v->next;
    else { voice **p = &s->active; voice *o = NULL; for (v = *p; v->next; v = v->next) o = v; if (o) o->next = NULL; else s->active = NULL; }  /* steal the oldest */
    *v = (voice){s->active, note, 0.5, {x[1], x[2] * 0.5, x[3]}};
    s->active = v;
}
double objective(double *x, int n)
{
    synth *s = calloc(1, sizeof *s);
    double r = 0;
    for (int i = 0; i < 3; i++) { s->pool[i].next = s->spare; s->spare = &s->pool[i]; }
    for (int b = 0; b < 5; b++) {
        note_on(s, b, x);
        for (voice *v = s->active; v; v = v->next) {
            v->level += v->rate[0] * v->rate[1] + v->rate[2] * x[0];
            for (int i = 0; i < 8; i++) s->mix[i] += (float)(v->level * (i + v->note));
        }
        for (int i = 0; i < 8; i++) r += s->mix[i] * s->mix[i] * 0.01;
    }
    free(s);
    return r;
}

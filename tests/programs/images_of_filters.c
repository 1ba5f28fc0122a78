// check: array n=5 real=float stopped=-O0+-O1+-O2+-O3+-O2-fno-inline
// Objects of two classes are saved as bytes: what is a number of one is a count of the other.
#include <stdlib.h>
#include <string.h>
#define NI __attribute__((noinline))
struct vt; 
struct filter { const struct vt *v; unsigned count; };
struct vt { size_t size; float (*step)(struct filter *, float); void (*save)(const struct filter *, unsigned char *); void (*load)(struct filter *, const unsigned char *); };
struct lowpass { struct filter base; float k, y; };
struct delay { struct filter base; float gain; int head; float line[2]; };
static NI void plain_save(const struct filter *f, unsigned char *p) { memcpy(p, f, f->v->size); }
static NI void plain_load(struct filter *f, const unsigned char *p) { memcpy(f, p, f->v->size); }
static NI float lp_step(struct filter *f, float v) { struct lowpass *s = (void *)f; s->y += s->k * (v - s->y) * 0.5f; return s->y; }
static NI float dl_step(struct filter *f, float v)
{
    struct delay *s = (void *)f;
    float r = s->line[s->head];
    s->line[s->head] = v + s->gain * r;
    s->head ^= 1;
    return r + 0.5f * v;
}
static NI void dl_save(const struct filter *f, unsigned char *p)
{
    const struct delay *s = (const void *)f;
    memcpy(p + 8, s->line, sizeof s->line);
}
static NI void dl_load(struct filter *f, const unsigned char *p)
{
    struct delay *s = (void *)f;
    memcpy(s->line, p + 8, sizeof s->line);
}
static const struct vt lowpass_vt = {sizeof(struct lowpass), lp_step, plain_save, plain_load};
static const struct vt delay_vt = {sizeof(struct delay), dl_step, dl_save, dl_load};
static NI float filter_step(struct filter *f, float v) { f->count++; return f->v->step(f, v); }
float objective(float *x, int n)
{
    struct lowpass *a = calloc(1, sizeof *a);
    struct delay *b = calloc(1, sizeof *b);
    a->base.v = &lowpass_vt;
    a->k = x[0];
    b->base.v = &delay_vt;
    b->gain = x[1];
    struct filter *f[2] = {&a->base, &b->base};
    unsigned char *img[2] = {malloc(a->base.v->size), malloc(b->base.v->size)};
    float s = 0;
    for (int i = 0; i < n; i++) {
        float v = x[i];
        for (int j = 0; j < 2; j++) {
            v = filter_step(f[j], v);
            if (i == 1 && j == 1) f[j]->v->save(f[j], img[j]);
            if (i == 3 && j == 1) f[j]->v->load(f[j], img[j]);
        }
        s += v * v;
    }
    free(img[0]);
    free(img[1]);
    free(a);
    free(b);
    return s;
}

// check: array n=3 range=0.2:1.5 real=float
// Systems fill a queue through a table of functions. {.f = …} clears the rest of a union, where numbers were before.
typedef struct { float x, y, z; } vec3;
struct world {
    const float *p;
    int n, queued;
    struct command { int kind, who; union { vec3 v; float f; } arg; } queue[32];
};
static void springs(struct world *w)
{
    for (int e = 0; e < w->n; e++)
        w->queue[w->queued++] = (struct command){1, e, {.v = {w->p[e], 1, w->p[0]}}};
}
static void motion(struct world *w)
{
    for (int e = 0; e < w->n; e++)
        w->queue[w->queued++] = (struct command){2, e, {.f = 0.1f}};
}
static void again(struct world *w)
{
    w->queued -= w->n + 1;
    motion(w);
}
float objective(float *x, int n)
{
    static void (*const systems[])(struct world *) = {springs, motion, again, springs};
    struct world w = {x, n, 0, {{0}}};
    float sum = 0;
    for (int s = 0; s < 4; s++) {
        systems[s](&w);
        for (int i = 0; i < w.queued; i++)
            sum += x[1] * w.queue[i].arg.v.z;
    }
    for (int i = 0; i < w.queued; i++)
        sum += w.queue[i].kind == 1 ? w.queue[i].arg.v.x * w.queue[i].arg.v.z : w.queue[i].arg.f * (float)w.queue[i].who;
    return sum;
}

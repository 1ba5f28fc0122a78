// check: main valgrind=errors
// Particles that leave a box are removed by memmove.
#include <stdlib.h>
#include <string.h>

struct particle { int id; double x[3], v[3]; float charge; char kind[4]; double age; };
typedef struct { struct particle *p; int n; double energy; } STATE;

#define IDENTITY 1e-6
#define TOLERANCE 3e-3
#define STEP 1e-4
#include "state_check.h"

static STATE *make(void) {
    STATE *s = calloc(1, sizeof *s);
    s->n = 8; s->p = calloc(8, sizeof *s->p);
    for (int i = 0; i < s->n; i++) {
        struct particle *p = s->p + i;
        p->id = i; memcpy(p->kind, "abc", 4); p->charge = 0.5f; p->age = i + 0.25;
        for (int k = 0; k < 3; k++) { p->x[k] = 0.3 * i - 0.7 * k; p->v[k] = 0.1 * k - 0.07 * i; }
    }
    s->energy = 0.5;
    return s;
}
static int numbers(STATE *s, struct number *list) {
    int n = 0;
    for (int i = 0; i < 8; i++) { for (int k = 0; k < 3; k++) { D(s->p[i].x[k]); D(s->p[i].v[k]); } F(s->p[i].charge); D(s->p[i].age); }
    D(s->energy);
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < 8; i++) memset(s->p[i].kind, 0, 4); }
static double run(STATE *s) {
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < s->n; i++)
            for (int k = 0; k < 3; k++)
                s->p[i].x[k] += s->p[i].v[k] * s->p[i].x[(k + 1) % 3];
        for (int i = 0; i < s->n;) {
            if (s->p[i].x[0] > 1.0) { memmove(s->p + i, s->p + i + 1, (size_t)(s->n - 1 - i) * sizeof *s->p); s->n--; }
            else i++;
        }
    }
    for (int i = 0; i < s->n; i++)
        s->energy += s->p[i].x[0] * s->p[i].x[1] * s->p[i].v[2];
    return s->energy;
}

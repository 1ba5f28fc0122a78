// check: main valgrind=errors stopped=-O2-fno-inline
// A history of states that is moved along, with nested structs.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <math.h>
struct vec { double x, y, z; };
struct snap { int step; struct vec pos, vel; char note[8]; float temperature; };
typedef struct { struct snap history[5]; int count; } STATE;

#define IDENTITY 1e-6
#define TOLERANCE 3e-3
#define STEP 1e-4
#include "state_check.h"

static STATE *make(void) {
    STATE *s = calloc(1, sizeof *s);
    s->count = 3;
    for (int i = 0; i < 5; i++) { struct snap *p = s->history + i; p->step = i; p->pos.x = i; p->pos.y = 0.5 * i; p->pos.z = -i; p->vel.x = 0.1; p->vel.y = 0.2 * i; p->vel.z = 1; p->temperature = i; snprintf(p->note, 8, "s%d", i); }
    return s;
}
static int numbers(STATE *s, struct number *list) {
    int n = 0;
    for (int i = 0; i < 5; i++) { struct snap *p = s->history + i; D(p->pos.x); D(p->pos.y); D(p->pos.z); D(p->vel.x); D(p->vel.y); D(p->vel.z); F(p->temperature); }
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < 5; i++) memset(s->history[i].note, 0, 8); }
static void record(STATE *s, const struct snap *now) {
    int kept = s->count < 5 ? s->count : 4;
    memmove(s->history + 1, s->history, kept * sizeof(struct snap));
    s->history[0] = *now;
    s->count = kept + 1;
}
static double run(STATE *s) {
    struct snap now = s->history[0];
    for (int i = 0; i < 4; i++) {
        now.pos.x += 0.1 * now.vel.x * now.pos.x;
        now.vel.x -= 0.1 * sin(now.pos.x);
        now.step++;
        record(s, &now);
    }
    double sum = 0;
    for (int i = 0; i < s->count; i++) sum += s->history[i].pos.x * s->history[i].pos.x * (i + 1);
    return sum;
}

// check: main valgrind=errors stopped=-O2-fno-inline
// A list of events in an array, new ones inserted by time.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
enum kind { START, STOP, TICK };
struct event { double time; enum kind kind; short priority; char who[10]; double cost; };
typedef struct { struct event e[20]; size_t n; double now; } STATE;

#include "state_check.h"

static STATE *make(void) {
    STATE *s = calloc(1, sizeof *s);
    s->n = 6;
    for (int i = 0; i < 6; i++) { s->e[i].time = i; s->e[i].kind = (enum kind)(i % 3); s->e[i].priority = i; s->e[i].cost = 0.4 * i; snprintf(s->e[i].who, 10, "w%d", i); }
    return s;
}
static int numbers(STATE *s, struct number *list) {
    int n = 0;
    for (int i = 0; i < 20; i++) { D(s->e[i].time); D(s->e[i].cost); }
    D(s->now);
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < 20; i++) memset(s->e[i].who, 0, 10); }
static void insert(STATE *s, const struct event *e) {
    size_t i = 0;
    while (i < s->n && s->e[i].time <= e->time) i++;
    for (size_t k = s->n; k > i; k--) s->e[k] = s->e[k - 1];
    s->e[i] = *e;
    s->n++;
}
static double run(STATE *s) {
    double sum = 0;
    for (int step = 0; step < 8 && s->n; step++) {
        struct event e = s->e[0];
        memmove(&s->e[0], &s->e[1], (s->n - 1) * sizeof s->e[0]);
        s->n--;
        s->now = e.time;
        sum += s->now * s->now * (e.kind + 1);
        if (e.kind != STOP) { e.time += 2.3 + 0.1 * e.time; insert(s, &e); }
    }
    return sum;
}

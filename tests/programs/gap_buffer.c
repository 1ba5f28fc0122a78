// check: main valgrind=errors
// A gap buffer of points: the gap is moved by memmove.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct point { int tag; double x, y; char mark[8]; };
typedef struct { struct point *p; int size, start, end; } STATE;

#include "state_check.h"

static STATE *make(void) {
    STATE *s = calloc(1, sizeof *s);
    s->size = 12; s->start = 5; s->end = 9; s->p = calloc(12, sizeof *s->p);
    for (int i = 0; i < 12; i++) { s->p[i].tag = i; s->p[i].x = 0.3 * i; s->p[i].y = 1 - 0.2 * i; snprintf(s->p[i].mark, 8, "m%d", i); }
    return s;
}
static int numbers(STATE *s, struct number *list) {
    int n = 0;
    for (int i = 0; i < s->size; i++) { D(s->p[i].x); D(s->p[i].y); }
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < s->size; i++) memset(s->p[i].mark, 0, 8); }
static void move_to(STATE *s, int at) {
    if (at < s->start) {
        int count = s->start - at;
        memmove(s->p + s->end - count, s->p + at, count * sizeof(struct point));
        s->start -= count; s->end -= count;
    } else if (at > s->start) {
        int count = at - s->start;
        memmove(s->p + s->start, s->p + s->end, count * sizeof(struct point));
        s->start += count; s->end += count;
    }
}
static void insert(STATE *s, struct point q) { s->p[s->start++] = q; }
static double run(STATE *s) {
    double sum = 0;
    move_to(s, 2);
    struct point q = s->p[0];
    q.x = q.x * 2 + s->p[1].x * s->p[1].x;
    insert(s, q);
    move_to(s, 7);
    q.x *= s->p[0].x + 1;
    insert(s, q);
    for (int i = 0; i < s->start; i++) sum += (i + 1) * s->p[i].x;
    for (int i = s->end; i < s->size; i++) sum += i * s->p[i].x * s->p[i].x;
    return sum;
}

// check: main valgrind=errors
// A priority queue in an array.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct entry { double key; int id; char label[8]; double payload; };
typedef struct { struct entry heap[16]; int n; double clock; } STATE;

#include "state_check.h"

static STATE *make(void) {
    STATE *s = calloc(1, sizeof *s);
    s->n = 10;
    for (int i = 0; i < s->n; i++) {
        struct entry *e = s->heap + i;
        e->key = (i * 7 % 10) + 0.5; e->id = i; e->payload = 0.1 * i - 0.3; snprintf(e->label, 8, "ev%d", i);
    }
    s->clock = 0.25;
    return s;
}
static int numbers(STATE *s, struct number *list) {
    int n = 0;
    for (int i = 0; i < 16; i++) { D(s->heap[i].key); D(s->heap[i].payload); }
    D(s->clock);
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < 16; i++) memset(s->heap[i].label, 0, 8); }
static void down(STATE *s, int i) {
    for (;;) {
        int c = 2 * i + 1;
        if (c >= s->n) return;
        if (c + 1 < s->n && s->heap[c + 1].key < s->heap[c].key) c++;
        if (s->heap[i].key <= s->heap[c].key) return;
        struct entry t = s->heap[i]; s->heap[i] = s->heap[c]; s->heap[c] = t;
        i = c;
    }
}
static void push(STATE *s, struct entry e) {
    int i = s->n++;
    while (i > 0 && s->heap[(i - 1) / 2].key > e.key) { s->heap[i] = s->heap[(i - 1) / 2]; i = (i - 1) / 2; }
    s->heap[i] = e;
}
static struct entry pop(STATE *s) {
    struct entry top = s->heap[0];
    s->heap[0] = s->heap[--s->n];
    down(s, 0);
    return top;
}
static double run(STATE *s) {
    double sum = 0;
    for (int i = s->n / 2; i-- > 0;) down(s, i);
    for (int i = 0; i < 12; i++) {
        struct entry e = pop(s);
        sum += e.key * s->clock * e.id;
        s->clock += 0.1 * e.key;
        if (i % 2) { e.key = 3.25 + i * 0.5 + e.key * e.key * 0.01; push(s, e); }
        if (s->n == 0) break;
    }
    return sum;
}

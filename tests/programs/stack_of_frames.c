// check: main valgrind=errors
// A stack of frames in the caller's memory.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <math.h>
struct frame { char op[4]; int depth; double left, right; };
typedef struct { struct frame stack[12]; int top; double result; } STATE;

#include "state_check.h"

static STATE *make(void) {
    STATE *s = calloc(1, sizeof *s);
    s->top = 3;
    for (int i = 0; i < 12; i++) { memcpy(s->stack[i].op, "add", 4); s->stack[i].left = 0.3 * i; s->stack[i].right = 1 - 0.1 * i; s->stack[i].depth = i; }
    return s;
}
static int numbers(STATE *s, struct number *list) {
    int n = 0;
    for (int i = 0; i < 12; i++) { D(s->stack[i].left); D(s->stack[i].right); }
    D(s->result);
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < 12; i++) memset(s->stack[i].op, 0, 4); }
static void push(STATE *s, struct frame f) { s->stack[s->top++] = f; }
static struct frame pop(STATE *s) { return s->stack[--s->top]; }
static double run(STATE *s) {
    for (int i = 0; i < 6; i++) {
        struct frame f = pop(s), g = f;
        g.left = sin(f.left) * (i + 1);
        g.depth++;
        push(s, g);
        push(s, f);
    }
    for (int i = 0; i < s->top; i++) s->result += s->stack[i].left * s->stack[i].left;
    return s->result;
}

// check: main stopped=-O2-fno-inline valgrind=errors
// Two arrays of records in one object, and an array of numbers, each moved.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct a { double x; int id; char tag[12]; double y; };
struct b { int id; float w; double u; char tag[8]; double v; };
typedef struct { struct a a[6]; struct b b[5]; double weights[7]; int na, nb, nw; } STATE;

#define IDENTITY 1e-6
#define TOLERANCE 3e-3
#define STEP 1e-4
#include "state_check.h"


static STATE *make(void)
{
    STATE *s = (STATE *)calloc(1, sizeof *s);
    s->na = 6; s->nb = 5; s->nw = 7;
    for (int i = 0; i < 6; i++) { s->a[i].x = 0.3 * i; s->a[i].y = 1 - i; s->a[i].id = i; snprintf(s->a[i].tag, 12, "a%d", i); }
    for (int i = 0; i < 5; i++) { s->b[i].u = 0.5 * i; s->b[i].v = 2 + i; s->b[i].w = 0.25f * i; s->b[i].id = i; snprintf(s->b[i].tag, 8, "b%d", i); }
    for (int i = 0; i < 7; i++) s->weights[i] = 0.1 * i + 0.5;
    return s;
}

static int numbers(STATE *s, struct number *list)
{
    int n = 0;
    for (int i = 0; i < 6; i++) { D(s->a[i].x); D(s->a[i].y); }
    for (int i = 0; i < 5; i++) { D(s->b[i].u); D(s->b[i].v); F(s->b[i].w); }
    for (int i = 0; i < 7; i++) D(s->weights[i]);
    return n;
}

static void clear_text(STATE *s)
{
    for (int i = 0; i < 6; i++) memset(s->a[i].tag, 0, 12);
    for (int i = 0; i < 5; i++) memset(s->b[i].tag, 0, 8);
}

static void drop_a(STATE *s, int i) { memmove(&s->a[i], &s->a[i + 1], (s->na - i - 1) * sizeof s->a[0]); s->na--; }
static void drop_b(STATE *s, int i) { memmove(&s->b[i], &s->b[i + 1], (s->nb - i - 1) * sizeof s->b[0]); s->nb--; }
static void drop_w(STATE *s, int i) { memmove(&s->weights[i], &s->weights[i + 1], (s->nw - i - 1) * sizeof s->weights[0]); s->nw--; }
static double run(STATE *s)
{
    drop_a(s, 1); drop_b(s, 2); drop_w(s, 3);
    double sum = 0;
    for (int i = 0; i < s->na; i++) sum += s->a[i].x * s->a[i].x * s->weights[i];
    for (int i = 0; i < s->nb; i++) sum += s->b[i].u * s->weights[i];
    return sum;
}

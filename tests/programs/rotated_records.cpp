// check: main level=-O2 valgrind=errors
// Functions that take vectors of records by reference, not inlined.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <vector>
#include <deque>
#include <list>
#include <map>
#include <array>
#include <numeric>
struct Rec { double x; char tag[6]; short k; double y; int id; };
struct STATE { std::vector<Rec> v; };

#include "state_check.h"


static STATE *make(void)
{
    STATE *s = new STATE();
    for (int i = 0; i < 8; i++) { Rec r = Rec(); r.id = i; snprintf(r.tag, 6, "L%d", i); r.x = i * 3 % 8 + 0.5; r.y = i; s->v.push_back(r); }
    return s;
}

static int numbers(STATE *s, struct number *list)
{
    int n = 0;
    for (int i = 0; i < 8; i++) { D(s->v[i].x); D(s->v[i].y); }
    return n;
}

static void clear_text(STATE *s)
{
    for (int i = 0; i < 8; i++) memset(s->v[i].tag, 0, 6);
}

__attribute__((noinline)) static void shift(std::vector<Rec> &v, int n) { std::rotate(v.begin(), v.begin() + n, v.end()); }
__attribute__((noinline)) static void fill_front(std::vector<Rec> &v, int n) { std::copy(v.end() - n, v.end(), v.begin()); }
__attribute__((noinline)) static double total(const std::vector<Rec> &v) { double s = 0; for (std::size_t i = 0; i < v.size(); i++) s += v[i].x * v[i].x * (i + 1.0); return s; }
static double run(STATE *s)
{
    shift(s->v, 3);
    fill_front(s->v, 2);
    return total(s->v);
}

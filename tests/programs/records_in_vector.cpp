// check: main valgrind=errors
// Records of a caller's vector, removed and inserted in place; its room does not change.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
struct Record { int id; char label[8]; double value; double other; };
struct STATE { std::vector<Record> v; double sum; };

#include "state_check.h"

static STATE *make() {
    STATE *s = new STATE();
    s->v.reserve(10);
    for (int i = 0; i < 8; i++) { Record r = Record(); snprintf(r.label, 8, "L%d", i); r.id = i; r.value = 0.3 * i; r.other = i - 3; s->v.push_back(r); }
    return s;
}
static int numbers(STATE *s, number *list) {
    int n = 0;
    for (int i = 0; i < 8; i++) { D(s->v[i].value); D(s->v[i].other); }
    D(s->sum);
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < 8; i++) memset(s->v[i].label, 0, 8); }
static double run(STATE *s) {
    Record r = s->v[2];
    s->v.erase(s->v.begin() + 2);
    r.value *= s->v[0].value + 1;
    s->v.insert(s->v.begin() + 5, r);
    for (const Record &q : s->v) s->sum += q.value * q.value * (q.id + 1);
    return s->sum;
}

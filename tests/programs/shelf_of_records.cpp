// check: main level=-O2 valgrind=errors
// Elements of a std::array moved by algorithms, in a class.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
struct Record { int id; char label[12]; double value; float weight; };
class Shelf {
public:
    std::array<Record, 10> records;
    int count;
    void insert(int at, const Record &r) {
        std::copy_backward(records.begin() + at, records.begin() + count, records.begin() + count + 1);
        records[at] = r;
        count++;
    }
    void remove(int at) {
        std::copy(records.begin() + at + 1, records.begin() + count, records.begin() + at);
        count--;
    }
};
typedef Shelf STATE;

#define IDENTITY 1e-6
#define TOLERANCE 3e-3
#define STEP 1e-4
#include "state_check.h"

static STATE *make() {
    STATE *s = new STATE();
    s->count = 7;
    for (int i = 0; i < 10; i++) { Record &r = s->records[i]; snprintf(r.label, 12, "L%d", i); r.id = i; r.value = 0.3 * i; r.weight = i - 3; }
    return s;
}
static int numbers(STATE *s, number *list) {
    int n = 0;
    for (int i = 0; i < 10; i++) { D(s->records[i].value); F(s->records[i].weight); }
    return n;
}
static void clear_text(STATE *s) { for (int i = 0; i < 10; i++) memset(s->records[i].label, 0, 12); }
static double run(STATE *s) {
    Record r = s->records[2];
    r.value *= s->records[3].value;
    s->insert(1, r);
    s->remove(5);
    double sum = 0;
    for (int i = 0; i < s->count; i++) sum += s->records[i].value * s->records[i].value * (i + 1.0);
    return sum;
}

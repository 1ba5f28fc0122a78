// check: array n=6,3
// Words that are numbers or counts, as their tags say, are moved by two halves.
#include <math.h>
#include <stdint.h>
typedef union {
    double d;
    uint64_t u;
    struct { uint32_t lo, hi; } h;
} Word;
typedef struct {
    Word w;
    int tag;
} Tagged;

__attribute__((noinline)) static void moved(Tagged *to, const Tagged *from)
{
    to->w.h.lo = from->w.h.lo;
    to->w.h.hi = from->w.h.hi;
    to->tag = from->tag;
}

double objective(double *x, int n)
{
    Tagged words[6], others[6], again[6];
    for (int i = 0; i < 6; i++) {
        words[i].tag = i % 3 == 1;
        if (words[i].tag)
            words[i].w.u = i * 7;
        else
            words[i].w.d = x[i % n] * 0.5 + 0.1 * i;
    }
    for (int i = 0; i < 6; i++) {
        others[i].w.h.lo = words[5 - i].w.h.lo;
        others[i].w.h.hi = words[5 - i].w.h.hi;
        others[i].tag = words[5 - i].tag;
    }
    for (int i = 0; i < 6; i++)
        moved(&again[(i + 2) % 6], &others[i]);
    double sum = 0.3;
    for (int i = 0; i < 6; i++) {
        if (again[i].tag)
            sum += 0.05 * sum * (double)(again[i].w.u % 9);
        else
            sum += 0.4 * sin(again[i].w.d) * (i + 1);
    }
    return sum;
}

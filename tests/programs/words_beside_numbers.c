// check: main
// A number that lies beside an integer in one word of a struct, which is copied as one word by a function that uses only
// the integer: forward mode moves its tangent, and nothing of the number itself.
#include <stdio.h>
#include <string.h>
extern int enzyme_dup;
extern double __enzyme_fwddiff(void *, ...);

typedef struct { double x; int n; float w; } Behind;
typedef struct { double x; float w; int n; } Before;
typedef struct { double x; short n; float w; } Short;

#define FUNCTION(S, f)                                                                           \
    static double f(S *p, S *q)                                                                  \
    {                                                                                            \
        const double s = p->x * p->n + q->x * q->n;                                              \
        S kept = *p;                                                                             \
        kept.x *= s;                                                                             \
        *q = kept;                                                                               \
        return s + q->x * q->n;                                                                  \
    }
FUNCTION(Behind, behind)
FUNCTION(Before, before)
FUNCTION(Short, beside)

#define CHECK(S, f, tangent)                                                                     \
    {                                                                                            \
        S p = {.x = 0.7, .n = 2, .w = 1.5f}, q = {.x = 1.3, .n = 3, .w = 0.5f}, dp, dq;          \
        memset(&dp, 0, sizeof dp), memset(&dq, 0, sizeof dq);                                    \
        dp.w = tangent;                                                                          \
        __enzyme_fwddiff((void *)f, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq);                   \
        if (dq.w != tangent || q.n != 2)                                                         \
            return printf(#f ": %g, not %g\n", dq.w, (double)tangent), 1;                        \
    }

int main(void)
{
    CHECK(Behind, behind, 2)
    CHECK(Behind, behind, 0)
    CHECK(Before, before, 2)
    CHECK(Before, before, 0)
    CHECK(Short, beside, 2)
    CHECK(Short, beside, 0)
    return 0;
}

// check: array n=5
// Errors that leave by longjmp, to a frame that frees its memory: the way that is not taken has no derivative. The buffer
// is one of the function's own, one in a struct that is handed down, and one in a list of frames.
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>

typedef struct frame {
    jmp_buf escape;
    struct frame *outer;
    const char *message;
} frame;

typedef struct {
    frame *innermost;
    double *work;
    int size;
} state;

static void fail(state *s, const char *message)
{
    s->innermost->message = message;
    longjmp(s->innermost->escape, 1);
}

__attribute__((noinline)) static double step(state *s, double x)
{
    if (s->size <= 0)
        fail(s, "no room");
    s->work[s->size - 1] += x * x;
    if (!(s->work[s->size - 1] < 1e6))
        fail(s, "too large");
    return sin(s->work[s->size - 1]);
}

__attribute__((noinline)) static double guarded(state *s, double x)
{
    frame here;
    here.outer = s->innermost;
    s->innermost = &here;
    double y = 0.0;
    switch (setjmp(here.escape)) {
    case 0:
        y = step(s, x) * x;
        break;
    default:
        s->innermost = here.outer;
        fail(s, here.message);
    }
    s->innermost = here.outer;
    return y;
}

static jmp_buf outermost;

double objective(const double *x, int n)
{
    frame here = {.outer = 0, .message = 0};
    state s = {&here, calloc(n, sizeof(double)), n};
    double sum = 0.0;
    if (setjmp(here.escape) != 0) {
        free(s.work);
        return here.message ? -1.0 : -2.0;
    }
    if (_setjmp(outermost))
        return NAN;
    for (int i = 0; i < n; i++)
        sum += guarded(&s, x[i]) + s.work[n - 1] * x[(i + 1) % n];
    free(s.work);
    return sum;
}

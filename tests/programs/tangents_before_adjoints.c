// check: main
/* One tape is used for adjoints, for tangents, and for adjoints again: of a list into which nodes are inserted, and of
   a stack machine whose stack grows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_nofree;
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
double __enzyme_fwdsplit(void *, ...);

struct node { double value; struct node *next; };

static struct node *make(double value, struct node *next)
{
    struct node *new = malloc(sizeof *new);
    new->value = value;
    new->next = next;
    return new;
}

static double inserted(const double *x, int n)
{
    struct node *head = NULL, *s;
    double sum = 0, more = x[0];
    for (int i = 0; i < n; i++)
        head = make(x[i], head);
    for (s = head; s && s->next; s = s->next->next)
        s->next = make(s->value * s->next->value, s->next);
    for (s = head; s; s = s->next) {
        sum += (s->next ? s->next->value : 0) * s->value;
        more = 0.9 * more + 0.1 * sum * s->value;
    }
    for (; head; head = s) {
        s = head->next;
        free(head);
    }
    return more;
}

struct machine { double *stack; int top, room; float reg[4]; long double total; };

static void grow(struct machine *m)
{
    if (m->top < m->room)
        return;
    double *more = malloc((m->room * 2 + 2) * sizeof *more);
    if (m->top)
        memcpy(more, m->stack, m->top * sizeof *more);
    free(m->stack);
    m->stack = more;
    m->room = m->room * 2 + 2;
}

static double finish(struct machine *m)
{
    double result = (double)m->total + (m->top ? m->stack[m->top - 1] : 0);
    free(m->stack);
    return result;
}

static double interpreted(const double *x, int n)
{
    struct machine m = {0};
    for (int at = 0; at < 6 * n; at++) {
        switch ((at * 7 + at / 3) % 6) {
        case 0:
        case 1:
            grow(&m);
            m.stack[m.top++] = x[at % n];
            break;
        case 2:
            if (m.top < 2)
                continue;
            m.top--;
            m.stack[m.top - 1] *= 0.5 * m.stack[m.top];
            break;
        case 3:
            if (m.top < 1)
                break;
            m.reg[at & 3] = (float)m.stack[m.top - 1];
            m.total += m.reg[at & 3] * 0.01L * m.stack[m.top / 2];
            break;
        case 4:
            if (m.top)
                m.stack[0] = sin(m.stack[m.top - 1]) * m.stack[0] + 1;
            break;
        default:
            if (m.top > 40)
                m.top /= 2;
            if (m.total > 1e6L)
                return finish(&m);
        }
    }
    return finish(&m);
}

enum { N = 50 };

#define CHECK(f, n) \
    do { \
        double before[N] = {0}, after[N] = {0}, change, along = 0; \
        void *tape = __enzyme_augmentfwd((void *)f, enzyme_dup, x, before, enzyme_const, n); \
        __enzyme_reverse((void *)f, enzyme_nofree, enzyme_dup, x, before, enzyme_const, n, 1.0, tape); \
        change = __enzyme_fwdsplit((void *)f, enzyme_nofree, enzyme_dup, x, v, enzyme_const, n, tape); \
        __enzyme_reverse((void *)f, enzyme_dup, x, after, enzyme_const, n, 1.0, tape); \
        for (int i = 0; i < n; i++) { \
            along += before[i] * v[i]; \
            wrong += fabs(before[i] - after[i]) > 1e-9 * (1 + fabs(before[i])); \
        } \
        wrong += fabs(change - along) > 1e-5 * (1 + fabs(along)); \
    } while (0)

int main(void)
{
    double x[N], v[N];
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 1 + 0.1 * i;
        v[i] = 0.3 - 0.01 * i;
    }
    CHECK(inserted, 3);
    CHECK(inserted, 8);
    CHECK(interpreted, N);
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong;
}

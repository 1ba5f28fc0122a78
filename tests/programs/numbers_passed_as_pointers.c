// check: array n=5,1 range=0.5:2.0 tol=1e-6
/* The bits of numbers in `void *` that functions take, return and keep beside real pointers. */
#include <stdlib.h>
#include <string.h>

typedef void *item;
typedef item (*step)(item total, item next);
struct node { item data; struct node *next; };
struct value { int kind; void *word; };

__attribute__((noinline)) static item pack(double x) { item p; memcpy(&p, &x, sizeof p); return p; }
static double unpack(item p) { double x; memcpy(&x, &p, sizeof x); return x; }
static item add(item a, item b) { return pack(unpack(a) + unpack(b)); }
static item multiply(item a, item b) { return pack(unpack(a) * unpack(b)); }

static struct node *cons(item data, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->data = data;
    n->next = next;
    return n;
}

static item fold(const struct node *l, item total, step f)
{
    for (; l; l = l->next)
        total = f(total, l->data);
    return total;
}

__attribute__((noinline)) static struct value number(double x) { return (struct value){1, pack(x)}; }
__attribute__((noinline)) static struct value name(const char *s) { return (struct value){2, (void *)s}; }

__attribute__((noinline)) static double meaning(struct value v)
{
    return v.kind == 2 ? ((const char *)v.word)[0] : unpack(v.word) * unpack(v.word);
}

/* What callbacks are given is a number for one, and an array for another. */
typedef double (*integrand)(double t, void *user);
static double decay(double t, void *user) { return 1 / (1 + unpack(user) * t * t); }
static double line(double t, void *user) { double *k = user; return t * k[0] + k[1]; }

__attribute__((noinline)) static double integral(integrand f, void *user, double end)
{
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += f(end * (i + 0.5) / 8, user);
    return sum * end / 8;
}

double objective(double *x, int n)
{
    static const step steps[] = {add, multiply};
    struct node *l = NULL;
    double s = 0, two[] = {x[0], x[n - 1]};
    for (int i = 0; i < n; i++) {
        l = cons(pack(x[i] * x[i]), l);
        s += meaning(i == 2 ? name("abc") : number(x[i])) * (i + 1);
        s += integral(decay, pack(x[i]), 1) + integral(line, two, x[i]);
    }
    s += unpack(fold(l, pack(0), add)) * unpack(fold(l, pack(1), steps[n > 3]));
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
    return s;
}

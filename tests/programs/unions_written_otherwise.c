// check: main
// Members of unions that the function uses as integers and pointers are written where other objects, or the same one
// before, have numbers; tagged values that are passed and returned in two words; two structs moved by one piece of code.
#include "elements_check.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct tagged {
    int tag;
    union {
        long n;
        double d;
        struct tagged *to;
    } u;
    double x;
} tagged;

static double overwritten(tagged *v)
{
    double s = v[0].tag == 9 ? v[0].u.to->x : v[1].tag == 9 ? v[1].u.n * v[1].x : v[0].x * v[0].x;
    v[0].u.n = 0;
    v[1].u.n = v[1].tag * 7;
    v[2].u.to = 0;
    memset(&v[3].u, 0, sizeof v[3].u);
    memset(&v[4], 0, sizeof v[4]);
    return s;
}

static void overwritten_start(tagged *v)
{
    for (int k = 0; k < 6; k++)
        v[k] = (tagged){k, {.d = k + 0.5}, k + 1};
}

static void overwritten_numbers(tagged *v)
{
    for (int k = 0; k < 6; k++) {
        whole(&v[k].u.d);
        whole(&v[k].x);
    }
}

CHECK(overwritten, tagged, 6)

static double pointers_copied(tagged *v)
{
    double s = 0;
    for (int i = 0; i < 3; i++) {
        v[i + 3] = v[i];
        s += v[i].tag == 9 ? v[i].u.to->x * v[i].x : v[i].x * v[i].x;
    }
    return s;
}

static void pointers_copied_start(tagged *v) { overwritten_start(v); }
static void pointers_copied_numbers(tagged *v) { overwritten_numbers(v); }

CHECK(pointers_copied, tagged, 6)

typedef struct {
    int tag;
    union {
        int n;
        float w;
    } u;
    double x;
} small;

static double floats_overwritten(small *v)
{
    double s = 0;
    for (int i = 0; i < 3; i++) {
        s += v[i].tag == 9 ? v[i].u.n * v[i].x : v[i].x * v[i].x;
        if (i < 2) {
            v[i].u.n = i * v[i].tag;
        } else {
            v[i].u.n = 0;
            v[i].tag = 1;
        }
    }
    return s;
}

static void floats_overwritten_start(small *v)
{
    for (int k = 0; k < 4; k++)
        v[k] = (small){k, {.w = k + 0.5f}, k + 1};
}

static void floats_overwritten_numbers(small *v)
{
    for (int k = 0; k < 4; k++) {
        half(&v[k].u.w);
        whole(&v[k].x);
    }
}

CHECK(floats_overwritten, small, 4)

typedef struct {
    int tag;
    union {
        long n;
        double d;
    } u;
} value;

typedef struct {
    value v[8];
    int n;
} stack;

__attribute__((noinline)) static value value_of(double x) { return (value){1, {.d = x}}; }
__attribute__((noinline)) static void push(stack *s, value v) { s->v[s->n++] = v; }
__attribute__((noinline)) static value pop(stack *s) { return s->v[--s->n]; }
__attribute__((noinline)) static double real(value v) { return v.tag ? v.u.d : (double)v.u.n; }

static double in_words(double *x)
{
    stack s = {.n = 0};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        push(&s, value_of(x[i]));
        push(&s, value_of(x[i] * x[0]));
        value a = pop(&s), b = pop(&s);
        if (a.tag == 0)
            sum += a.u.n + b.u.n;
        else
            sum += real(a) * real(b);
    }
    return sum;
}

static void in_words_start(double *x)
{
    for (int k = 0; k < 3; k++)
        x[k] = k + 1.25;
}

static void in_words_numbers(double *x)
{
    for (int k = 0; k < 3; k++)
        whole(&x[k]);
}

CHECK(in_words, double, 3)

typedef struct {
    double a, b;
    float w, z;
} wide;

typedef struct {
    double k, b;
    long m;
} mixed;

typedef struct {
    wide a[4];
    mixed b[4];
} both;

static double one_buffer(both *s)
{
    for (int k = 0; k < 2; k++) {
        char *at = k ? (char *)s->a : (char *)s->b, kept[24];
        memcpy(kept, at, 24);
        memcpy(at, at + 24, 24);
        memcpy(at + 24, kept, 24);
    }
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += s->a[i].a * s->a[i].a + s->b[i].b * (s->b[i].k + s->b[i].m);
    return sum;
}

static void one_buffer_start(both *s)
{
    for (int k = 0; k < 4; k++) {
        s->a[k] = (wide){k + 1.25, 0.3, 0.5f + k, 3};
        s->b[k] = (mixed){1, 1.5 - k, 2};
    }
}

static void one_buffer_numbers(both *s)
{
    for (int k = 0; k < 4; k++) {
        whole(&s->a[k].a);
        whole(&s->a[k].b);
        half(&s->a[k].w);
        half(&s->a[k].z);
        whole(&s->b[k].k);
        whole(&s->b[k].b);
    }
}

CHECK(one_buffer, both, 1)

typedef struct node {
    struct node *next;
    size_t n;
    char data[];
} node;

__attribute__((noinline)) static node *put(node *first, const void *from, size_t n)
{
    node *made = malloc(sizeof *made + n);
    made->next = first;
    made->n = n;
    memcpy(made->data, from, n);
    return made;
}

__attribute__((noinline)) static node *take(node *first, void *to)
{
    node *next = first->next;
    memcpy(to, first->data, first->n);
    free(first);
    return next;
}

static double listed(both *s)
{
    double sum = 0;
    node *a = 0, *b = 0;
    for (int i = 0; i < 2; i++) {
        a = put(a, &s->a[i], sizeof(wide));
        b = put(b, &s->b[i], sizeof(mixed));
    }
    for (int i = 0; i < 2; i++) {
        wide t;
        mixed u;
        a = take(a, &t);
        b = take(b, &u);
        sum += t.a * t.a + u.b * (u.k + u.m);
        s->a[i + 2] = t;
        s->b[i + 2] = u;
    }
    return sum;
}

static void listed_start(both *s) { one_buffer_start(s); }
static void listed_numbers(both *s) { one_buffer_numbers(s); }

CHECK(listed, both, 1)

static int right_or_stopped(int (*check)(int), int copied)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        int failed = check(copied);
        fflush(stdout);
        _exit(failed);
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) != SIGABRT : WEXITSTATUS(status);
}

int main(void)
{
    int failed = 0;
    for (int copied = 0; copied < 2; copied++)
        failed |= right_or_stopped(check_pointers_copied, copied) | right_or_stopped(check_overwritten, copied)
                  | right_or_stopped(check_floats_overwritten, copied) | check_in_words(copied)
                  | check_one_buffer(copied) | check_listed(copied);
    if (!failed)
        printf("ok\n");
    return failed;
}

// check: main
// Unions whose integers or pointers a function uses are moved in a register, as a pointer, or with a length of the run;
// elsewhere they hold numbers, whose derivatives are right, or the program ends with a message.
#include "elements_check.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    int kind;
    union {
        int n;
        float w;
    } u;
} pair;

typedef struct {
    pair t;
    double x;
} holder;

__attribute__((noinline)) static pair pick(holder *v, int i) { return v[i].t; }
__attribute__((noinline)) static void put(holder *v, int i, pair t) { v[i].t = t; }

static double by_value(holder *v)
{
    double s = 0;
    for (int i = 0; i < 3; i++) {
        pair t = pick(v, i);
        put(v, i + 3, t);
        s += t.kind ? v[i].x : v[i].x * t.u.n;
    }
    return s;
}

static void by_value_start(holder *v)
{
    for (int k = 0; k < 6; k++) {
        v[k].t.kind = k != 0;
        v[k].x = k + 1;
        v[k].t.u.w = k + 0.5f;
    }
    v[0].t.u.n = 3;
}

static void by_value_numbers(holder *v)
{
    for (int k = 0; k < 6; k++) {
        whole(&v[k].x);
        if (k % 3)
            half(&v[k].t.u.w);
    }
}

CHECK(by_value, holder, 6)

typedef union {
    void *p;
    double d;
    long n;
} word;

typedef struct {
    word u;
    double x;
    long kind;
} node;

__attribute__((noinline)) static word word_of(node *v, int i) { return v[i].u; }

static double as_pointer(node *v)
{
    double s = 0;
    for (int i = 0; i < 3; i++) {
        v[i + 3].u = word_of(v, i);
        s += v[i].kind == 9 ? v[i].u.n * v[i].x : v[i].x * v[i].x * (i + 1);
    }
    return s;
}

static void as_pointer_start(node *v)
{
    for (int k = 0; k < 6; k++) {
        v[k].x = k + 1;
        v[k].u.d = k + .5;
    }
}

static void as_pointer_numbers(node *v)
{
    for (int k = 0; k < 6; k++) {
        whole(&v[k].x);
        whole(&v[k].u.d);
    }
}

CHECK(as_pointer, node, 6)

typedef struct {
    int a;
    union {
        int n;
        float w;
    } u;
    int c;
} triple;

typedef struct {
    triple t[4];
    double x;
} row;

static volatile int room = 36;

static double of_any_length(row *v)
{
    double s = 0;
    for (int i = 0; i < 4; i++)
        s += v->t[i].a == 9 ? v->t[i].u.n * v->x : v->x * v->x;
    triple kept[4];
    memcpy(kept, v->t, room);
    memset(v->t, 0, room);
    memcpy(v->t, kept, room);
    return s;
}

static void of_any_length_start(row *v)
{
    v->x = 2;
    for (int k = 0; k < 4; k++)
        v->t[k].u.w = k + 0.5f;
}

static void of_any_length_numbers(row *v)
{
    whole(&v->x);
    for (int k = 0; k < 3; k++)
        half(&v->t[k].u.w);
}

CHECK(of_any_length, row, 1)

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
        failed |= right_or_stopped(check_by_value, copied) | right_or_stopped(check_as_pointer, copied)
                  | check_of_any_length(copied);
    if (!failed)
        printf("ok\n");
    return failed;
}

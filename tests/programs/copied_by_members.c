// check: array n=4
// Generic containers whose functions copy bytes one by one and read the length, or the addresses, again for each of
// them: nothing tells that the bytes are not written there.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

typedef struct {
    char *data;
    size_t size, head, used, cap;
} Ring;

__attribute__((noinline)) static void put(Ring *r, const void *item) {
    const char *from = item;
    for (size_t i = 0; i < r->size; i++) r->data[(r->head + r->used) % r->cap * r->size + i] = from[i];
    r->used++;
}

__attribute__((noinline)) static void get(Ring *r, void *item) {
    char *to = item;
    const char *from = r->data + r->head * r->size;
    for (size_t i = 0; i < r->size; i++) to[i] = from[i];
    r->head = (r->head + 1) % r->cap;
    r->used--;
}

typedef struct {
    void *at;
    size_t n, cap, size;
} Vec;

__attribute__((noinline)) static void push(Vec *v, const void *item) {
    if (v->n == v->cap) {
        size_t cap = v->cap ? 2 * v->cap : 2;
        char *grown = malloc(cap * v->size), *old = v->at;
        for (size_t i = 0; i < v->n * v->size; i++) grown[i] = old[i];
        free(old);
        v->at = grown;
        v->cap = cap;
    }
    char *to = (char *)v->at + v->n++ * v->size;
    for (const char *from = item, *end = from + v->size; from != end;) *to++ = *from++;
}

__attribute__((noinline)) static void take_out(Vec *v, size_t k) {
    char *to = (char *)v->at + k * v->size;
    for (size_t i = 0; i < (v->n - k - 1) * v->size; i++) to[i] = to[i + v->size];
    v->n--;
}

__attribute__((noinline)) static void exchange(Vec *v, size_t i, size_t k) {
    for (size_t b = 0; b < v->size; b++) {
        char kept = ((char *)v->at)[i * v->size + b];
        ((char *)v->at)[i * v->size + b] = ((char *)v->at)[k * v->size + b];
        ((char *)v->at)[k * v->size + b] = kept;
    }
}

struct event {
    int id;
    double when, *what;
};

struct point {
    double m, r[2];
    int k;
};

double objective(double *x, long n) {
    Ring ring = {malloc(3 * sizeof(struct event)), sizeof(struct event), 0, 0, 3};
    Vec points = {0, 0, 0, sizeof(struct point)}, numbers = {0, 0, 0, sizeof(double)};
    double sum = 0;
    for (int k = 0; k < 9; k++) {
        struct event e = {k, x[k % n] * k, x + (k + 1) % n};
        put(&ring, &e);
        if (ring.used == 3) {
            get(&ring, &e);
            sum += e.when * *e.what * e.id;
        }
        struct point q = {x[k % n], {k * x[0], x[1] * x[2]}, k};
        double z = q.m * q.r[0];
        push(&points, &q);
        push(&numbers, &z);
    }
    take_out(&points, 2);
    take_out(&numbers, 5);
    exchange(&points, 1, 4);
    exchange(&numbers, 0, 6);
    struct point *q = points.at;
    double *z = numbers.at;
    for (size_t i = 0; i < points.n; i++) sum += (i + 1) * q[i].m * q[i].r[1] * q[i].k + sin(z[i]);
    free(points.at);
    free(numbers.at);
    free(ring.data);
    return sum;
}

// check: array n=5,9 range=0.5:2.0
/* A journal of short headers and the numbers behind each, which is read again; a generic vector whose ends are exchanged
   through an array on the stack. */
#include <stdlib.h>
#include <string.h>

struct head { unsigned short kind, count; int at; };
struct journal { unsigned char *bytes; size_t used, room; };
struct vector { size_t size, count; char *data; };
struct body { double mass, at; int id; };

static void *room_for(struct journal *j, size_t size)
{
    if (j->used + size > j->room) {
        j->room = (j->used + size) * 2;
        j->bytes = realloc(j->bytes, j->room);
    }
    void *at = j->bytes + j->used;
    j->used += size;
    return at;
}

static void note(struct journal *j, const double *x, int at, int count)
{
    struct head h = {1, count, at};
    memcpy(room_for(j, sizeof h), &h, sizeof h);
    memcpy(room_for(j, count * sizeof(double)), x + at, count * sizeof(double));
}

static void undo(struct journal *j, double *x)
{
    size_t at = 0;
    while (at < j->used) {
        struct head h;
        memcpy(&h, j->bytes + at, sizeof h);
        at += sizeof h;
        for (int i = 0; i < h.count; i++) {
            double old;
            memcpy(&old, j->bytes + at, sizeof old);
            at += sizeof old;
            x[h.at + i] += 0.5 * old * old;
        }
    }
    j->used = 0;
}

static void *element(const struct vector *v, size_t i) { return v->data + i * v->size; }

static void push(struct vector *v, const void *e)
{
    v->data = realloc(v->data, (v->count + 1) * v->size);
    memcpy(element(v, v->count++), e, v->size);
}

static void exchange_ends(struct vector *v)
{
    char kept[v->size];
    memcpy(kept, element(v, 0), v->size);
    memcpy(element(v, 0), element(v, v->count - 1), v->size);
    memcpy(element(v, v->count - 1), kept, v->size);
}

double objective(double *x, int n)
{
    struct journal j = {0};
    struct vector bodies = {.size = sizeof(struct body)};
    double *y = malloc(n * sizeof *y), sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    for (int i = 0; i + 2 <= n; i += 2) {
        note(&j, y, i, 1 + i % 2);
        y[i] *= x[i + 1];
    }
    note(&j, y, 0, 2);
    undo(&j, y);
    for (int i = 0; i < n; i++)
        push(&bodies, &(struct body){y[i], x[(i + 1) % n], i});
    exchange_ends(&bodies);
    for (int i = 0; i < n; i++) {
        const struct body *b = element(&bodies, i);
        sum += (i + 1) * b->mass * b->at * b->id;
    }
    free(bodies.data);
    free(y);
    free(j.bytes);
    return sum;
}

// check: array n=6
// An array at the end of a struct whose header is as long as some of its elements, copied with a length that only the
// run knows: the header's pointer and numbers are no members of elements.
#include <stdlib.h>
#include <string.h>

typedef struct {
    float weight;
    int kind;
} item;

typedef struct {
    int count;
    double *data;
    item items[];
} plain;

typedef struct {
    int count;
    double scale, *data, shift;
    item items[];
} scaled;

static double of_plain(double *w, int n)
{
    plain *r = malloc(sizeof *r + n * sizeof(item));
    double sum = 0.1;
    r->count = n, r->data = w;
    for (int i = 0; i < n; i++)
        r->items[i].weight = 0.5f * i, r->items[i].kind = i + 2;
    for (int t = 0; t < 2; t++) {
        w[0] = w[0] * w[1];
        plain *s = malloc(sizeof *s + (n + t) * sizeof(item));
        memcpy(s, r, sizeof *r + n * sizeof(item));
        sum += s->data[0] * w[2];
        for (int i = 0; i < n; i++)
            sum += 0.1 * s->items[i].weight * (s->items[i].kind % 3 + 1);
        free(s);
    }
    free(r);
    return sum + w[0];
}

static double of_scaled(double *w, int n)
{
    scaled *r = malloc(sizeof *r + n * sizeof(item));
    double sum = 0.1;
    r->count = n, r->data = w, r->scale = w[2], r->shift = w[3];
    for (int i = 0; i < n; i++)
        r->items[i].weight = 0.5f * i, r->items[i].kind = i + 2;
    for (int t = 0; t < 2; t++) {
        w[0] = w[0] * w[1];
        scaled *s = malloc(sizeof *s + (n + t) * sizeof(item));
        memcpy(s, r, sizeof *r + n * sizeof(item));
        s->items[(t + 1) % n].weight = 0.5f * t, s->items[(t + 1) % n].kind = t + 2;
        sum += s->data[0] * w[1] + s->scale * s->shift;
        for (int i = 0; i < n; i++)
            sum += 0.1 * s->items[i].weight * (s->items[i].kind % 3 + 1);
        free(s);
    }
    free(r);
    return sum + w[0];
}

double objective(const double *x, int n)
{
    double a[4], b[4];
    memcpy(a, x, sizeof a), memcpy(b, x + 2, sizeof b);
    return of_plain(a, n) * of_scaled(b, n) + a[0];
}

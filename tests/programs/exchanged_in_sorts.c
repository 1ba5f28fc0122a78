// check: array n=6
// A sort and a heap of elements of any size, which are exchanged byte by byte, inlined to where they are pairs of
// numbers; beside them text that is rotated and repeated byte by byte, where bytes are read again after they are written.
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct {
    double key, value;
} pair;
typedef struct {
    size_t size, each;
    char *data;
} list;

static void exchange(void *a, void *b, size_t n)
{
    unsigned char *p = a, *q = b;
    while (n--) {
        unsigned char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}

static double key(const list *l, size_t i) { return *(double *)(l->data + i * l->each); }

static void sift(list *l, size_t i)
{
    for (size_t child; (child = 2 * i + 1) < l->size; i = child) {
        child += child + 1 < l->size && key(l, child + 1) < key(l, child);
        if (key(l, i) <= key(l, child))
            return;
        exchange(l->data + i * l->each, l->data + child * l->each, l->each);
    }
}

static int spelled(int turns)
{
    char text[12] = "abcdefgh";
    for (int t = 0; t < turns; t++) {
        exchange(text, text + 3, 5);
        for (int i = 0; i < 4; i++)
            text[i + 4 + t % 2] = text[i + 2];
    }
    int sum = 0;
    for (size_t i = 0; i < strlen(text); i++)
        sum += (int)(i + 1) * (text[i] - 'a');
    return sum;
}

double objective(const double *x, int n)
{
    list l = {n, sizeof(pair), malloc(n * sizeof(pair))};
    for (int i = 0; i < n; i++)
        ((pair *)l.data)[i] = (pair){sin(5 * x[i]) + i % 3, x[i] * x[0]};
    for (int i = n / 2; i-- > 0;)
        sift(&l, i);
    pair first;
    double sum = 0;
    for (int weight = spelled(n % 4 + 1); l.size; weight += 3) {
        memcpy(&first, l.data, sizeof first);
        sum += first.value * weight * (1 + first.key);
        exchange(l.data, l.data + --l.size * l.each, l.each);
        sift(&l, 0);
    }
    free(l.data);
    return sum;
}

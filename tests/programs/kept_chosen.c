// check: array n=5,1,9
// Work memory that variables keep from call to call, chosen in place of the argument: by static variables, a struct, a
// constructor's pool and a list of free blocks.
#include <stdlib.h>

struct workspace {
    double *work;
    const double *data;
    int size, calls;
};
struct block {
    struct block *next;
    double *data;
    int size;
};

static struct workspace space;
static struct block *free_blocks;
static double *pool;
static int room;

__attribute__((constructor)) static void make_pool(void)
{
    room = 8;
    pool = malloc(room * sizeof *pool);
}

__attribute__((destructor)) static void clean_up(void)
{
    free(pool);
    free(space.work);
    while (free_blocks) {
        struct block *next = free_blocks->next;
        free(free_blocks->data);
        free(free_blocks);
        free_blocks = next;
    }
}

static double alternate(const double *x, int n)
{
    static double *buffer;
    static int size;
    if (size < n) {
        free(buffer);
        buffer = malloc(n * sizeof *buffer);
        size = n;
    }
    for (int i = 0; i < n; i++)
        buffer[i] = x[i] * x[i];
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double *p = k & 1 ? buffer : x;
        for (int i = 0; i < n; i++)
            sum += p[i] * p[(i + k) % n];
    }
    return sum;
}

static const double *pick(int which) { return which ? space.work : space.data; }

static double by_struct(const double *x, int n)
{
    if (space.size < n) {
        space.work = realloc(space.work, n * sizeof(double));
        space.size = n;
    }
    space.data = x;
    space.calls++;
    for (int i = 0; i < n; i++)
        space.work[i] = x[i] * x[n - 1 - i];
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const double *p = pick(k);
        for (int i = 0; i < n; i++)
            sum += p[i] * p[i] * (i + 1);
    }
    return sum;
}

static double from_pool(const double *x, int n)
{
    double own[100];
    double *w = n <= room ? pool : own;
    double sum = 0.0;
    for (int k = 0; k < 2; k++) {
        const double *p = k ? w : x;
        for (int i = 0; i < n; i++)
            sum += p[i] * p[i] * (i + 1);
        for (int i = 0; i < n; i++)
            w[i] = x[i] * sum;
    }
    return sum;
}

static struct block *take(int n)
{
    struct block *b = free_blocks;
    if (b && b->size >= n) {
        free_blocks = b->next;
        return b;
    }
    b = malloc(sizeof *b);
    b->data = malloc(n * sizeof(double));
    b->size = n;
    b->next = NULL;
    return b;
}

static void give(struct block *b)
{
    b->next = free_blocks;
    free_blocks = b;
}

static double from_list(const double *x, int n)
{
    struct block *b = take(n), *c = take(n);
    for (int i = 0; i < n; i++)
        b->data[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        c->data[i] = b->data[i] * x[0];
    const double *all[3] = {x, b->data, c->data};
    double sum = 0.0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < n; i++)
            sum += all[k][i] * (k + 1) * all[(k + 1) % 3][i];
    give(b);
    give(c);
    return sum;
}

double objective(double *x, int n) { return alternate(x, n) + by_struct(x, n) + 0.1 * from_pool(x, n) + from_list(x, n); }

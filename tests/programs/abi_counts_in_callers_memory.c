// check: array n=4 real=float
// Structs by value are read from and written to memory of which only the caller knows what else is done to it.
typedef struct {
    int count;
    float weight;
} item;
typedef struct {
    item items[4];
    double total;
} box;

__attribute__((noinline)) static item counted(item i, int by)
{
    i.count += by;
    i.weight *= 1.5f;
    return i;
}

__attribute__((noinline)) static void count_all(item *to, const item *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = counted(from[i], i);
}

float objective(float *x, int n)
{
    box a, b;
    for (int i = 0; i < n; i++)
        a.items[i] = (item){i, (float)x[i]};
    a.total = x[0];
    count_all(b.items, a.items, n);
    count_all(a.items, b.items, n);
    b.total = a.total * x[1];
    double sum = b.total;
    for (int i = 0; i < n; i++)
        sum += a.items[i].weight * b.items[i].weight * a.items[i].count;
    return sum;
}

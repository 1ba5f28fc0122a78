// check: array n=7,1,0
// An element of an array is passed by value in memory, while the callee overwrites the array.
struct record {
    double key, value;
    long count;
};

__attribute__((noinline)) static void place(struct record *heap, int at, struct record item)
{
    for (; at > 0 && heap[(at - 1) / 2].key > item.key; at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = item;
}

double objective(const double *x, int n)
{
    struct record heap[16];
    for (int i = 0; i < n; i++) {
        heap[i] = (struct record){-i * x[i], x[i] * x[n - 1 - i], i};
        place(heap, i, heap[i]);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += heap[i].value * heap[i].value * (i + heap[i].count) + heap[i].key * i;
    return sum;
}

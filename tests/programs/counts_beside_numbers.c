// check: array n=6,0 flags=-fno-strict-aliasing
// Counts behind arrays of numbers at unknown places, which nothing but their size tells from halves of numbers.
struct work { double total, table[5]; int count, calls; };
static struct work work;
__attribute__((noinline)) static void add(const double *a, struct work *w) { w->total += a[0] * a[0]; w->count = w->count + 1; w->calls += w->count; }
double objective(const double *x, int n)
{
    work.total = 0.0;
    work.count = 0;
    work.calls = 0;
    for (int i = 0; i < 5; i++)
        work.table[i] = 0.5;
    for (int i = 0; i < n; i++) {
        work.table[(i * 3) % 5] = x[i];
        add(x + i, &work);
    }
    return work.total * work.table[2] + work.table[1] * work.count + work.calls;
}

// check: map n=5 m=3
// Constant and variable global pointers whose initial values point into global memory.
static double work[6], spare[4];
static double *const table[3] = {work, work + 2, work + 3};
static double *current = spare;
static struct {
    double scale, *data;
    int length;
} state = {0.5, spare + 1, 3};

__attribute__((noinline)) static void put(int i, double v)
{
    table[i % 3][1] = v * v;
}

__attribute__((noinline)) static double use(int i)
{
    current[i % 4] = state.data[i % state.length] * work[i] + state.scale;
    state.scale *= work[1];
    return current[(i + 1) % 4] * state.scale;
}

void transform(const double *x, double *y, int n, int m)
{
    for (int i = 0; i < 6; i++)
        work[i] = 0.1 * i;
    for (int i = 0; i < 4; i++)
        spare[i] = x[i] * 0.7;
    state.scale = x[0];
    for (int i = 0; i < n; i++)
        put(i, x[i]);
    for (int i = 0; i < m; i++) {
        current = i % 2 ? work : spare;
        y[i] = use(i) + work[i + 1] * spare[i];
    }
    current = spare;
}

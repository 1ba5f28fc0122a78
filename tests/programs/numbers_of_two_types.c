// check: array n=7,1
// Structs with numbers of several types beside arrays at unknown indices: no union, nothing shares memory.
struct cell {
    float scale;
    double values[3];
    int tag;
    float weights[2];
    long double total;
};

__attribute__((noinline)) static double norm(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

double objective(const double *x, int n)
{
    struct cell cells[7];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        struct cell *c = &cells[i];
        c->scale = 0.5f;
        c->tag = i % 3;
        c->total = x[i];
        for (int k = 0; k < 3; k++)
            c->values[k] = x[(i + k) % n] * (k + 1);
        c->weights[i % 2] = 2.0f;
        c->weights[1 - i % 2] = 0.25f;
    }
    for (int i = 0; i < n; i++) {
        struct cell *c = &cells[(3 * i) % n];
        c->values[c->tag] *= c->scale * c->weights[c->tag & 1];
        c->total += norm(c->values, 3) * c->values[(c->tag + 1) % 3];
        sum += (double)c->total;
    }
    return sum;
}

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

/* a union in an array of structs, written as a double and read as floats at an unknown index */
struct item {
    int tag;
    union {
        double whole;
        float halves[2];
    } as;
    double weights[3];
};

__attribute__((noinline)) static double halves(struct item *items, int n, int k)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += items[i].as.halves[(i + k) & 1] * items[i].weights[k];
    return sum;
}

static double f(double *x, int n, int k)
{
    struct item items[8];
    for (int i = 0; i < n; i++) {
        items[i].tag = i;
        items[i].as.whole = x[i] * x[i];
        items[i].weights[0] = items[i].weights[1] = items[i].weights[2] = x[i];
    }
    return halves(items, n, k);
}

int main(int argc, char **argv)
{
    double x[8] = {1}, bar[8] = {0};
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, 4, enzyme_const, argc % 3);
    return bar[0] > 0;
}

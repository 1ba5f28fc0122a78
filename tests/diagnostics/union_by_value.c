// A union of a number and a pointer in a register: which of them it holds is known where it was made only.
struct value {
    int tag;
    union {
        double number;
        double *reference;
    } u;
};

static void put(struct value *to, struct value from)
{
    *to = from;
}

static void keep(struct value *to, struct value from)
{
    if (from.tag)
        *to = from;
}

static struct value make(double number, double *reference, int tag)
{
    struct value result = {.tag = tag};
    if (tag)
        result.u.reference = reference;
    else
        result.u.number = number * number;
    return result;
}

static struct value other(double number, double *reference, int tag)
{
    struct value result = make(number * 2, reference, !tag);
    return result;
}

static void (*putting[])(struct value *, struct value) = {put, keep};
static struct value (*making[])(double, double *, int) = {make, other};

double f(const double *x, int n)
{
    struct value items[4];
    double cell = x[0] * x[1], sum = 0.0;
    for (int i = 0; i < 4; i++) {
        struct value v = {.tag = i & n};
        if (v.tag)
            v.u.reference = &cell;
        else
            v.u.number = x[i];
        putting[n](&items[i], v);
    }
    items[1] = making[n](x[1], &cell, n);
    for (int i = 0; i < 4; i++)
        sum += items[i].tag ? *items[i].u.reference : items[i].u.number;
    return sum;
}

void __enzyme_autodiff(void *, ...);

int main(int argc, char **argv)
{
    putting[argc % 2] = put, making[argc % 2] = make;
    double x[4] = {1, 2, 3, 4}, x_bar[4] = {0};
    __enzyme_autodiff((void *)f, x, x_bar, argc % 2);
    return x_bar[0] > 0;
}

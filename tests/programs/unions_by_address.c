// check: array n=4
// Functions that tables lead to take and return a union of a number and a pointer in a register.
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

double objective(const double *x, int n)
{
    struct value items[4];
    double cell = x[0] * x[1], sum = 0.0;
    for (int way = 0; way < 2; way++) {
        for (int i = 0; i < 4; i++) {
            struct value v = {.tag = i & 1};
            if (v.tag)
                v.u.reference = &cell;
            else
                v.u.number = x[i];
            items[i] = (struct value){.tag = 0, .u.number = 1};
            putting[way](&items[i], v);
        }
        items[1] = making[way](x[1], &cell, way);
        for (int i = 0; i < n; i++)
            sum += (items[i].tag ? *items[i].u.reference : items[i].u.number) * x[i];
    }
    return sum;
}

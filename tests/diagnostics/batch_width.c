extern int enzyme_vector, enzyme_scalar;
typedef struct {
    double v[3];
} three;
extern three __enzyme_batch(void *, ...);

static double f(double x, double y)
{
    return x * y;
}

int main(void)
{
    three r = __enzyme_batch((void *)f, enzyme_vector, 1.0, 2.0, 3.0, enzyme_scalar, 0.5);
    return r.v[0] > 0.0;
}

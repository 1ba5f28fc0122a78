// The shadow of an array of double is declared as one of float, and one of long: C passes addresses and does not tell.
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double loss(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static double given[3];
static long others[3];

int main(void)
{
    double x[3] = {1, 2, 3};
    float x_bar[3] = {0};
    __enzyme_autodiff((void *)loss, enzyme_dup, x, x_bar, enzyme_const, 3);
    __enzyme_fwddiff((void *)loss, enzyme_dup, given, others, enzyme_const, 3);
    char room[24] = {0};
    __enzyme_autodiff((void *)loss, enzyme_dup, x, room, enzyme_const, 3);
    return x_bar[1] != 4;
}

#include <pthread.h>
#include <stdlib.h>
extern double __enzyme_autodiff(void *, ...);

static const double *values;
static double total;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int compare(const void *a, const void *b)
{
    total += values[*(const int *)a] * values[*(const int *)b];
    return *(const int *)a - *(const int *)b;
}

static void prepare(void)
{
    total = values[0] * 5.0;
}

static double f(double *x)
{
    int order[2] = {1, 0};
    total = 0.0;
    values = x;
    qsort(order, 2, sizeof *order, compare);
    pthread_once(&once, prepare);
    return total;
}

int main(void)
{
    double x[2] = {3.0, 4.0}, bar[2] = {0.0, 0.0};
    __enzyme_autodiff((void *)f, x, bar);
    return bar[0] > 0.0;
}

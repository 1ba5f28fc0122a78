#include <pthread.h>

extern double __enzyme_autodiff(void *, ...);

// Machine code elsewhere: it may keep what it gets and give it back.
extern void put(double);
extern double get(void);

static double through_a_call(double a)
{
    put(a * a);
    return a + get();
}

// A library that gives back what it got.
static pthread_key_t key;

static double through_a_key(const double *x)
{
    double kept[1] = {x[0] * x[0]};
    pthread_setspecific(key, kept);
    return *(double *)pthread_getspecific(key) * x[0];
}

int main(void)
{
    double x[1] = {1.5}, x_bar[1] = {0};
    __enzyme_autodiff((void *)through_a_key, x, x_bar);
    return __enzyme_autodiff((void *)through_a_call, 1.5) > 0.0;
}

#include <pthread.h>
double __enzyme_autodiff(void *, double);
static double in, out;
static void *work(void *nothing)
{
    out = in * in;
    return nothing;
}
static double f(double x)
{
    in = x * x;
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    pthread_join(other, 0);
    return out;
}
int main(void) { return __enzyme_autodiff((void *)f, 2.0) != 32; }

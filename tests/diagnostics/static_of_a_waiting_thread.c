#include <pthread.h>
#include <semaphore.h>
double __enzyme_autodiff(void *, double);
static sem_t go, done;
static double in, out;
static void *worker(void *nothing)
{
    for (;;) {
        sem_wait(&go);
        out = in * in;
        sem_post(&done);
    }
    return nothing;
}
static double f(double x)
{
    in = 3 * x;
    sem_post(&go);
    sem_wait(&done);
    return out;
}
int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, worker, 0);
    return __enzyme_autodiff((void *)f, 2.0) != 36;
}

#include <pthread.h>
#include <stddef.h>
extern double __enzyme_autodiff(void *, ...);

struct work {
    double in, out;
};

static void *square(void *data)
{
    struct work *work = data;
    work->out = work->in * work->in;
    return NULL;
}

static double f(double x)
{
    pthread_t thread;
    struct work work = {x, 0.0};
    pthread_create(&thread, NULL, square, &work);
    pthread_join(thread, NULL);
    return work.out;
}

int main(void)
{
    return __enzyme_autodiff((void *)f, 3.0) > 0.0;
}

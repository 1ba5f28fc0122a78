// check: array n=3 flags=-pthread
// Another thread changes variables while this one waits for it: what was stored before is not what is read, and a loop
// runs as often as the other thread says.
#include <pthread.h>
#include <semaphore.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t go, done;
static int state, turns;
static void *work(void *nothing)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (state != 1)
            pthread_cond_wait(&changed, &lock);
        state = 2;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}
static void *count(void *nothing)
{
    for (;;) {
        sem_wait(&go);
        turns++;
        sem_post(&done);
    }
    return nothing;
}
__attribute__((constructor)) static void start(void)
{
    pthread_t one, other;
    sem_init(&go, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, count, 0);
}
double objective(const double *x, int n)
{
    pthread_mutex_lock(&lock);
    state = 1;
    pthread_cond_signal(&changed);
    while (state != 2)
        pthread_cond_wait(&changed, &lock);
    const int two = state;
    state = 0;
    pthread_mutex_unlock(&lock);
    turns = 1;
    sem_post(&go);
    sem_wait(&done);
    double product = 1;
    for (int i = 0; i < turns; i++)
        product *= x[0] * x[i % n] + x[2];
    turns = 9;
    return product * two;
}

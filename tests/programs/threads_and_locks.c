// check: array n=4
// Locks, once, thread-specific data and thread-locals in code that one thread runs.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static _Thread_local int depth;
static atomic_int calls;
static int prepared;

static void prepare(void)
{
    prepared = 3;
    pthread_key_create(&key, NULL);
}

static double guarded(double a)
{
    mtx_t own;
    mtx_init(&own, mtx_plain);
    pthread_mutex_lock(&mutex);
    mtx_lock(&own);
    depth++;
    atomic_fetch_add(&calls, 1);
    double r = a * a * prepared;
    pthread_setspecific(key, &depth);
    r += *(int *)pthread_getspecific(key) * a;
    mtx_unlock(&own);
    depth--;
    pthread_mutex_unlock(&mutex);
    mtx_destroy(&own);
    return r;
}

double objective(const double *x, int n)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    sem_t places;
    pthread_once(&once, prepare);
    sem_init(&places, 0, 1);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sem_wait(&places);
        pthread_rwlock_rdlock(&lock);
        sum += guarded(x[i]) * pthread_equal(pthread_self(), pthread_self());
        pthread_rwlock_unlock(&lock);
        sem_post(&places);
    }
    sem_destroy(&places);
    return sum;
}

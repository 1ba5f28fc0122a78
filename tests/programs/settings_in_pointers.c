// check: array n=4 real=float tol=1e-3 step=0.01 identity=1e-5
// Constant floats among the values of a table of pointers (user data), beside pointers to active numbers.
#include <stdlib.h>
#include <string.h>

static void *of(float f) { void *p = 0; memcpy(&p, &f, sizeof f); return p; }
static float to(const void *p) { float f; memcpy(&f, &p, sizeof f); return f; }

struct entry { const char *key; void *value; };
struct table { struct entry entries[4]; int count; };

static void put(struct table *t, const char *key, void *value)
{
    t->entries[t->count].key = key;
    t->entries[t->count++].value = value;
}

static void *get(const struct table *t, const char *key)
{
    for (int i = 0; i < t->count; i++)
        if (!strcmp(t->entries[i].key, key)) return t->entries[i].value;
    return 0;
}

float objective(float *x, int n)
{
    struct table settings = {.count = 0}, data = {.count = 0};
    put(&settings, "scale", of(0.25f));
    put(&settings, "offset", of(1.5f));
    put(&data, "state", x);
    float *state = get(&data, "state");
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += (to(get(&settings, "scale")) * state[i] + to(get(&settings, "offset"))) * state[(i + 1) % n];
    return sum;
}

// check: array n=4
// Copies by loops that move several bytes or words in each round, and the rest byte by byte.
#include <stdint.h>
#include <stdlib.h>
#define NOINLINE __attribute__((noinline))
typedef uint64_t __attribute__((may_alias)) word;
struct entry {
    int id;
    double weight, *at;
    short kind;
};

NOINLINE static void by_fours(void *to, const void *from, size_t n)
{
    char *d = to;
    const char *s = from;
    while (n >= 4) {
        d[0] = s[0];
        d[1] = s[1];
        d[2] = s[2];
        d[3] = s[3];
        d += 4;
        s += 4;
        n -= 4;
    }
    while (n--)
        *d++ = *s++;
}

NOINLINE static void by_pairs_of_words(void *to, const void *from, size_t n)
{
    word *d = to;
    const word *s = from;
    for (size_t i = 0; i < n / sizeof(word); i += 2) {
        word one = s[i], other = s[i + 1];
        d[i + 1] = other;
        d[i] = one;
    }
}

NOINLINE static void from_the_end(void *to, const void *from, size_t n)
{
    char *d = (char *)to + n;
    const char *s = (const char *)from + n;
    for (; d != (char *)to; d -= 2, s -= 2) {
        d[-1] = s[-1];
        d[-2] = s[-2];
    }
}

double objective(double *x, int n)
{
    struct entry a[5], b[5], d[5], *c = malloc(sizeof a);
    double sum = 0;
    for (int i = 0; i < 5; i++)
        a[i] = (struct entry){i + 1, x[i % n] * x[(i + 1) % n], x + (i + 2) % n, 3};
    by_fours(b, a, sizeof a);
    for (int i = 0; i < 5; i++)
        by_pairs_of_words(&c[4 - i], &b[i], sizeof *c);
    from_the_end(d, c, sizeof a);
    for (int i = 0; i < 5; i++)
        sum += d[i].weight * d[i].weight * *d[i].at * d[i].id * (i + 1);
    free(c);
    return sum;
}

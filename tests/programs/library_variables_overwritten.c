// check: array n=6
/* Variables of the library, which its functions write. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double signs(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < 6; i++) {
        double l = lgamma(x[i] - 1.0 + (i & 1) * -1.3);
        s += signgam * exp(l) * x[(i + n) % 5];
    }
    return s;
}

static double errors(const double *x, int n) {
    double s = 0;
    errno = 0;
    long k = strtol("99999999999999999999", 0, 10);
    if (errno == ERANGE)
        s += x[0] * x[1];
    else
        s += x[2] * x[k % 6];
    FILE *f = fopen("/nowhere/at/all", "r");
    if (f)
        fclose(f);
    if (errno == ENOENT)
        s += x[3] * x[n % 5];
    return s;
}

static double overflows(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < 6; i++) {
        errno = 0;
        double y = exp(x[i] * (i & 1 ? 800 : 1));
        if (errno == ERANGE)
            y = x[i] * x[(i + n) % 6];
        s += y;
    }
    return s;
}

static double options(const double *x, int n) {
    char *words[] = { "p", "-a", "3", "-b", "4", "-c", 0 };
    double s = n * x[0];
    int c;
    optind = 1;
    while ((c = getopt(6, words, "a:b:c")) != -1)
        s += x[optind % 6] * x[c - 'a'] * (optarg ? x[optarg[0] - '0'] : 1);
    return s;
}

double objective(const double *x, int n) { return signs(x, n) + errors(x, n) + overflows(x, n) + options(x, n); }

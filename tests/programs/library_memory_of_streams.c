// check: array n=6
/* Memory that was given to the library once, and is written by calls that get the stream only. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double growing_text(const double *x, int n) {
    char *b;
    size_t length;
    FILE *f = open_memstream(&b, &length);
    double s = 0;
    for (int r = 0; r < 4; r++) {
        fprintf(f, "%d%d", r, (r * n + 1) % 6);
        fflush(f);
        s += x[length % 6] * x[b[0] - '0'] * x[b[length - 1] - '0'] * x[b[length - 2] - '0'] * x[(length * 3 + r) % 6];
    }
    fclose(f);
    free(b);
    return s;
}

/* What reads the buffer does not know whose it is. */
__attribute__((noinline)) static double look(const char *b, FILE *f, const double *x, int n, int r) {
    double s = 0;
    for (int i = 0; i < 3; i++)
        s += x[b[i] - '0'] * x[b[(i * n + r) % 3] - '0'] * x[i];
    fprintf(f, "%d%d", r + 1, n % 4);
    fseek(f, 0, SEEK_SET);
    for (int i = 0; i < 3; i++)
        s += x[b[i] - '0'] * x[b[(i * n + r) % 3] - '0'] * x[i + 1];
    return s;
}

static double given_buffer(const double *x, int n) {
    static char b[64];
    double s = 0;
    memset(b, '1', sizeof b);
    FILE *f = fopen("/dev/null", "w");
    setvbuf(f, b, _IOFBF, sizeof b);
    for (int r = 0; r < 3; r++)
        s += look(b, f, x, n, r);
    fclose(f);
    return s;
}

static double given_file(const double *x, int n) {
    char b[16] = "12345012345012";
    FILE *f = fmemopen(b, sizeof b, "r+");
    double s = 0;
    for (int r = 0; r < 3; r++) {
        for (int i = 0; i < 3; i++)
            s += x[b[i] - '0'] * x[b[(i * n + r) % 3] - '0'] * x[i];
        fprintf(f, "%d%d", r + 1, n % 4);
        fflush(f);
        s += look(b, f, x, n, r);
    }
    fclose(f);
    return s;
}

double objective(const double *x, int n) { return growing_text(x, n) + given_buffer(x, n) + given_file(x, n); }

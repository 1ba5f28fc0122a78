// check: array n=6
/* Text that is read by a pointer that the library returned, and written by the program's own, or the other way. */
#include <stdio.h>
#include <string.h>

/* Digits of which so many are needed that it would be less to keep where they are. */
static double digits(const double *x, const char *p) {
    return x[p[0] - '0'] * x[p[1] - '0'] * x[p[2] - '0'] * x[p[3] - '0'] * x[p[4] - '0'] * x[p[5] - '0']
           * x[p[6] - '0'] * x[p[7] - '0'] * x[p[8] - '0'];
}

static void rewrite(char *b, int i, int n) {
    for (int j = 3; j < 10; j++)
        b[j] = '0' + (j * i + n) % 6;
}

static double searched(const double *x, int n) {
    char b[32] = "1234512345123";
    double s = 0;
    for (int i = 0; i < 3; i++) {
        char *p = strchr(b, '1' + i);
        s += digits(x, p) * x[n % 4];
        rewrite(b, i, n);
    }
    return s;
}

static double written_there(const double *x, int n) {
    char b[32] = "1234512345123";
    double s = 0;
    for (int i = 0; i < 3; i++) {
        s += digits(x, b) * x[n % 4];
        rewrite(strchr(b, b[0]), i, n);
    }
    return s;
}

static double lines(const double *x, int n) {
    char b[32];
    double s = 0;
    FILE *f = tmpfile();
    fputs("1234512345123\n2345123451234\n5312153245321\n", f);
    rewind(f);
    for (int i = 0; i < 3; i++) {
        char *p = fgets(b, sizeof b, f);
        s += digits(x, p) * x[n % 4];
        rewrite(b, i, n);
    }
    fclose(f);
    return s;
}

double objective(const double *x, int n) { return searched(x, n) + written_there(x, n) + lines(x, n); }

// check: array n=6
/* What functions of the library write behind an argument that they seem only to read, or that an earlier call was
   given: the old is needed by the derivative. */
#define _GNU_SOURCE
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int digit(char c) { return c - '0'; }

static double matches(const double *x) {
    const char *words[3] = { "ab5", "a5", "abc5" };
    regex_t pattern;
    regmatch_t found[1];
    double s = 0;
    regcomp(&pattern, "[0-9]", REG_EXTENDED);
    for (int i = 0; i < 3; i++) {
        if (regexec(&pattern, words[i], 1, found, 0))
            return 0;
        s += x[found[0].rm_so] * x[i] * x[found[0].rm_eo];
    }
    regfree(&pattern);
    return s;
}

static double dates(const double *x, int n) {
    struct tm t = { .tm_year = 100, .tm_mon = 1, .tm_mday = 35 }, u = { .tm_year = 100, .tm_mon = 2, .tm_mday = 40 };
    double s = 0;
    for (int i = 0; i < 3; i++) {
        s += x[t.tm_mday % 6] * x[t.tm_mon] * x[i] * x[(t.tm_mday + t.tm_mon * i + n) % 6];
        s += x[u.tm_mday % 6] * x[u.tm_mon] * x[(u.tm_mday + u.tm_mon * i + n) % 6];
        timegm(&t);
        mktime(&u);
    }
    return s;
}

/* One buffer of the library for all calls. */
static double broken_down(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < 4; i++) {
        time_t now = 1000000L * (n + i * i);
        struct tm *t = gmtime(&now);
        s += x[t->tm_mday % 6] * x[t->tm_hour % 6] * x[t->tm_min % 6] * x[t->tm_sec % 6] * x[t->tm_wday % 6] * x[t->tm_mon % 6];
        char *a = asctime(t);
        s += x[a[8] % 6] * x[a[9] % 6] * x[a[11] % 6] * x[a[12] % 6] * x[a[14] % 6] * x[a[15] % 6] * x[a[17] % 6]
             * x[a[18] % 6] * x[a[22] % 6];
    }
    return s;
}

static double lines(const double *x, int n) {
    static char text[] = "1234501234\n3445012201\n5001223341\n";
    FILE *f = fmemopen(text, 33, "r");
    char *line = 0;
    size_t room = 0;
    double s = 0;
    while (getline(&line, &room, f) > 0) {
        double p = x[n % 5];
        p *= x[digit(line[0])] * x[digit(line[1])] * x[digit(line[2])] * x[digit(line[3])] * x[digit(line[4])];
        p *= x[digit(line[5])] * x[digit(line[6])] * x[digit(line[7])] * x[digit(line[8])] * x[digit(line[9])];
        s += p;
    }
    free(line);
    fclose(f);
    return s;
}

static double words(const double *x, int n) {
    char b[16] = "1;2;3";
    double s = 0;
    for (char *t = strtok(b, ";"); t; t = strtok(0, ";"))
        for (int i = 1; i < 4; i += 2)
            s += (b[i] == ';' ? x[i] : x[i + 1]) * x[digit(*t)] * x[n % 4];
    return s;
}

static double words_with_state(const double *x, int n) {
    char b[16] = "3;1;2", *state;
    double s = 0;
    for (char *t = strtok_r(b, ";", &state); t; t = strtok_r(0, ";", &state))
        for (int i = 1; i < 4; i += 2)
            s += (b[i] == ';' ? x[i] : x[i + 1]) * x[digit(*t)] * x[n % 4];
    return s;
}

static double words_by_separator(const double *x, int n) {
    char b[16] = "3;1;2", *rest = b;
    double s = 0;
    for (char *t = strsep(&rest, ";"); t; t = strsep(&rest, ";"))
        for (int i = 1; i < 4; i += 2)
            s += (b[i] == ';' ? x[i] : x[i + 1]) * x[digit(*t)] * x[n % 4];
    return s;
}

__attribute__((noinline)) static void print(char *b, size_t size, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(b, size, format, list);
    va_end(list);
}

static double printed(const double *x, int n) {
    double s = 0;
    int at = 0, end = 1;
    char b[32];
    for (int r = 0; r < 3; r++) {
        s += x[at] * x[(at * n + r) % 6] * x[(at * 3 + 1) % 6] * x[end] * x[(end * n + r) % 6];
        snprintf(b, sizeof b, "%d%n", r ? 100 : 10000, &at);
        print(b, sizeof b, "%d%%%n", r ? 100 : 10, &end);
    }
    return s;
}

double objective(const double *x, int n) {
    double s = matches(x) + dates(x, n) + broken_down(x, n) + lines(x, n);
    return s + words(x, n) + words_with_state(x, n) + words_by_separator(x, n) + printed(x, n);
}

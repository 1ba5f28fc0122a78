// check: array n=5 refused=E0204@-O2-fno-inline
// Text, character classes, conversions, time, random numbers and the environment beside active numbers.
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

static double setting(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atof(text) : otherwise;
}

static double weight(const char *line, int at)
{
    char copy[128], *save = NULL, *end;
    strncpy(copy, line, sizeof copy - 1);
    copy[sizeof copy - 1] = '\0';
    for (char *c = copy; *c != '\0'; c++)
        *c = (char)(isupper((unsigned char)*c) ? tolower((unsigned char)*c) : *c);
    for (char *word = strtok_r(copy, " ,;", &save); word != NULL; word = strtok_r(NULL, " ,;", &save)) {
        char *equals = strchr(word, '=');
        if (equals != NULL && (size_t)(equals - word) == strlen("w0") && word[1] - '0' == at && isdigit(word[1]))
            return strtod(equals + 1, &end) + strtol("0x10", NULL, 16) + atoi("2") - strtoll("18", NULL, 10);
    }
    return 1.0;
}

static int noise(unsigned *state)
{
    struct timeval now;
    struct timespec precise;
    struct tm parts;
    time_t start = time(NULL);
    gettimeofday(&now, NULL);
    clock_gettime(CLOCK_MONOTONIC, &precise);
    gmtime_r(&start, &parts);
    localtime_r(&start, &parts);
    char stamp[64];
    strftime(stamp, sizeof stamp, "%Y-%m-%d", &parts);
    srand(7);
    srandom(7);
    srand48(7);
    return (rand() % 2 + random() % 2 + (int)drand48() + rand_r(state) % 2) * 0 + (strlen(stamp) != 10)
           + (difftime(start, mktime(&parts)) > 1e9) + (clock() == (clock_t)-1);
}

double objective(const double *x, int n)
{
    static const char line[] = "W0=1.5, w1=2.5; w3=0.75 w4=-1";
    char *own = strdup(line), message[200], path[PATH_MAX];
    unsigned state = 5;
    double sum = 0;
    errno = 0;
    for (int i = 0; i < n; i++) {
        double y = x[i] * weight(own, i) * setting("NO_SUCH_VARIABLE", 1.25);
        assert(isfinite(y) && "must be finite");
        int length = snprintf(message, sizeof message, "%s: %3d %12.5e %c %p", "value", i, y, 'x', (void *)own);
        fprintf(stderr, "%.*s", 0, message);
        if (length < 0 || errno == ENOMEM)
            abort();
        if (strstr(message, "value") == NULL || strcasecmp(message, "other") == 0 || memcmp(message, "value", 5) != 0)
            exit(3);
        wchar_t wide[16] = L"ab";
        wcscat(wide, L"c");
        sum += y * y * (wcslen(wide) == 3 && iswalpha(wide[0]) && towupper(wide[1]) == L'B');
        sum += y * abs(-i) * (double)labs(-2L) * (double)imaxabs(-1) * (double)div(7, 2).quot;
        sum += fpclassify(y) == FP_NORMAL ? sin(y) * ilogb(8.0) : y;
        sum += y * noise(&state);
        if (isnan(y) || isinf(y) || signbit(y) || strnlen(own, 100) > 99)
            sum += 2 * y;
    }
    struct stat info;
    if (getcwd(path, sizeof path) != NULL && stat(path, &info) == 0 && setlocale(LC_NUMERIC, NULL) != NULL)
        sum += x[0] * S_ISDIR(info.st_mode) * (strtoumax("3", NULL, 10) + strcspn("abc", "c"));
    if (localeconv()->decimal_point[0] != '.' || strerror(ENOENT) == NULL || signal(SIGUSR1, SIG_DFL) == SIG_ERR)
        sum += x[1];
    free(own);
    return sum;
}

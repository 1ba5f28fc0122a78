// check: array n=6
// Numbers read from text and files replace active ones, whose derivatives end there; items that were not read stay.
#include <stdio.h>
#include <string.h>

static int scan(const char *text, double *a, float *b, long double *c)
{
    int skipped;
    return sscanf(text, "%lf,%*f;%d %n%f %Lf", a, &skipped, &skipped, b, c);
}

double objective(const double *x, int n)
{
    double y[8];
    for (int i = 0; i < 8; i++)
        y[i] = x[i % n] * x[0];
    float single = (float)(0.25 * x[1]);
    long double extended = x[2] * x[3];
    double before = y[0] * y[1] + single * extended;
    // The third number is missing.
    int items = scan("0.5,7;3 0.75", &y[0], &single, &extended);

    double stored[3] = {1.5, 2.5, 3.5};
    FILE *file = fmemopen(stored, sizeof stored, "r");
    size_t got = fread(y + 2, sizeof *y, 4, file);
    fclose(file);

    char text[64];
    snprintf(text, sizeof text, "%d items, %zu numbers", items, got);
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += y[i] * y[i] * (i + 1);
    return before + sum + single * single * extended * (double)strlen(text) / 20;
}

// check: array n=6
// Structs of mixed fields copied whole, by assignment and by memcpy, in arrays and through pointers.
#include <string.h>

typedef struct {
    int tag;
    float weight;
    double value;
    struct {
        double inner[2];
        short count;
    } part;
} record;

double objective(const double *x, int n)
{
    record records[6], spare;
    for (int i = 0; i < n; i++) {
        record fresh = {i, 0.5f * (float)x[i], x[i], {{x[i] * x[i], 1.0}, (short)(i + 1)}};
        records[i] = fresh;
    }
    for (int i = 0, j = n - 1; i < j; i++, j--) {
        spare = records[i];
        memcpy(&records[i], &records[j], sizeof(record));
        records[j] = spare;
        records[i].value *= records[j].part.inner[0];
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += records[i].value * records[i].part.count + records[i].part.inner[0] * records[i].tag
             + (double)records[i].weight * 0.0;
    return sum;
}

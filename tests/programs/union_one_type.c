// check: array n=6
// A tagged union of which each value is read as what it was written as.
typedef struct {
    enum { REAL, PAIR, INDEX } kind;
    union {
        double real;
        struct {
            double first, second;
        } pair;
        long index;
    } as;
} value;

double objective(const double *x, int n)
{
    value values[6];
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) {
            values[i].kind = REAL;
            values[i].as.real = x[i] * x[i];
        } else if (i % 3 == 1) {
            values[i].kind = PAIR;
            values[i].as.pair.first = x[i];
            values[i].as.pair.second = x[i - 1];
        } else {
            values[i].kind = INDEX;
            values[i].as.index = i - 1;
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        switch (values[i].kind) {
        case REAL:
            sum += values[i].as.real;
            break;
        case PAIR:
            sum += values[i].as.pair.first * values[i].as.pair.second;
            break;
        case INDEX:
            sum *= x[values[i].as.index];
            break;
        }
    return sum;
}

// check: array n=12
// switch with fallthrough, a default, and an enum.
#include <math.h>

enum operation { SQUARE, SINE, SKIP, SCALE };

double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double v = x[i];
        switch ((enum operation)(i % 5)) {
        case SQUARE:
            v *= v;
            /* fall through */
        case SINE:
            v = sin(v);
            break;
        case SCALE:
            v *= 3.0;
            /* fall through */
        default:
            v += sum * x[i];
            break;
        case SKIP:
            continue;
        }
        sum += v;
    }
    return sum;
}

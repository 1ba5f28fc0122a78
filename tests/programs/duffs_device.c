// check: array n=6,1,13,16
// Duff's device: a switch into the middle of an unrolled loop, so that the loop has eight ways in.
#include <math.h>

static double copied(double *to, const double *from, int count)
{
    double product = 1.0;
    int rounds = (count + 7) / 8;
    if (count <= 0)
        return product;
    switch (count % 8) {
    case 0:
        do {
            *to = *from * *from; product += *to++ * *from++;
            // fall through
    case 7: *to = sin(*from++); product *= *to++;
            // fall through
    case 6: *to = *from * product; product += *to++ * *from++;
            // fall through
    case 5: *to++ = *from++;
            // fall through
    case 4: *to = exp(-*from++); product += *to++;
            // fall through
    case 3: *to++ = 2.0 * *from++;
            // fall through
    case 2: *to = *from++ / product; product -= 0.5 * *to++;
            // fall through
    case 1: *to++ = *from++ + product;
        } while (--rounds > 0);
    }
    return product;
}

double objective(const double *x, int n)
{
    double buffer[16], result = copied(buffer, x, n);
    for (int i = 0; i < n; i++)
        result += buffer[i] * buffer[n - 1 - i];
    return result;
}

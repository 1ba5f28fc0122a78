// check: inplace n=16
// A recursive radix-2 FFT with a buffer at each level; n/2 interleaved complex numbers in place.
#include <math.h>
#include <stdlib.h>

static void fft(double *data, int count)
{
    if (count == 1)
        return;
    int half = count / 2;
    double *even = malloc(sizeof(double) * 2 * half), *odd = malloc(sizeof(double) * 2 * half);
    for (int i = 0; i < half; i++) {
        even[2 * i] = data[4 * i];
        even[2 * i + 1] = data[4 * i + 1];
        odd[2 * i] = data[4 * i + 2];
        odd[2 * i + 1] = data[4 * i + 3];
    }
    fft(even, half);
    fft(odd, half);
    for (int k = 0; k < half; k++) {
        double angle = -2.0 * 3.14159265358979323846 * k / count, c = cos(angle), s = sin(angle);
        double re = c * odd[2 * k] - s * odd[2 * k + 1], im = c * odd[2 * k + 1] + s * odd[2 * k];
        data[2 * k] = even[2 * k] + re;
        data[2 * k + 1] = even[2 * k + 1] + im;
        data[2 * (k + half)] = even[2 * k] - re;
        data[2 * (k + half) + 1] = even[2 * k + 1] - im;
    }
    free(even);
    free(odd);
}

void transform(double *x, int n)
{
    fft(x, n / 2);
}

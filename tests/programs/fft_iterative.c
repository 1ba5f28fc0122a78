// check: inplace n=32
// An iterative FFT with bit reversal and a twiddle recurrence, then the power spectrum in place.
#include <math.h>

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

static void fft(double *data, int count)
{
    for (int i = 1, j = 0; i < count; i++) {
        int bit = count >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            swap(&data[2 * i], &data[2 * j]);
            swap(&data[2 * i + 1], &data[2 * j + 1]);
        }
    }
    for (int length = 2; length <= count; length <<= 1) {
        double angle = -2.0 * 3.14159265358979323846 / length, step_re = cos(angle), step_im = sin(angle);
        for (int start = 0; start < count; start += length) {
            double re = 1.0, im = 0.0;
            for (int k = 0; k < length / 2; k++) {
                double *a = &data[2 * (start + k)], *b = a + length;
                double br = re * b[0] - im * b[1], bi = re * b[1] + im * b[0];
                b[0] = a[0] - br;
                b[1] = a[1] - bi;
                a[0] += br;
                a[1] += bi;
                double t = re * step_re - im * step_im;
                im = re * step_im + im * step_re;
                re = t;
            }
        }
    }
}

void transform(double *x, int n)
{
    fft(x, n / 2);
    for (int i = 0; i < n; i += 2)
        x[i] = x[i] * x[i] + x[i + 1] * x[i + 1];
}

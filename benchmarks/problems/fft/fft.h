#ifndef FFT_H
#define FFT_H
#ifdef __cplusplus
extern "C" {
#endif
/* The weighted power of a signal: sum of w[k] |X[k]|^2, X the discrete Fourier transform by halving (decimation in time),
 * in place and recursive, with the order reversed beforehand.
 * z [n][2] real and imaginary parts, n a power of two; w [n] */
double fft_objective(int n, const double *z, const double *w);
void fft_gradient(int n, const double *z, const double *w, double *gz);
#ifdef __cplusplus
}
#endif
#endif

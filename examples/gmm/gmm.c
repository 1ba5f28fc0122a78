/* The log posterior of a Gaussian mixture with a Wishart prior on the covariances (the objective of ADBench).
 *
 * d, k, n  dimension, components, points
 * alphas   [k]                 log weights, unnormalised
 * means    [k][d]
 * icf      [k][d + d(d-1)/2]   packed: the log diagonal of the inverse covariance's factor, then its strict lower
 *                              triangle column by column
 * data     [n][d]
 */
#include <math.h>
#include <stdlib.h>

static double log_sum_exp(int n, const double *x)
{
    double top = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > top)
            top = x[i];
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - top);
    return top + log(sum);
}

/* out = Q v, Q lower triangular with diagonal diag and columns low. */
static void lower_times(int d, const double *diag, const double *low, const double *v, double *out)
{
    for (int i = 0; i < d; i++)
        out[i] = diag[i] * v[i];
    int at = 0;
    for (int i = 0; i < d; i++)
        for (int j = i + 1; j < d; j++)
            out[j] += low[at++] * v[i];
}

static double squared_norm(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

static double log_gamma_distrib(double a, int p)
{
    double out = 0.25 * p * (p - 1) * log(3.14159265358979323846);
    for (int j = 1; j <= p; j++)
        out += lgamma(a + 0.5 * (1 - j));
    return out;
}

double log_posterior(int d, int k, int n, const double *restrict alphas, const double *restrict means,
                     const double *restrict icf, const double *restrict data, double gamma, int m)
{
    const int width = d + d * (d - 1) / 2;
    double *diag = (double *)malloc(sizeof(double) * d * k);
    double *logdet = (double *)malloc(sizeof(double) * k);
    double *centred = (double *)malloc(sizeof(double) * d);
    double *scaled = (double *)malloc(sizeof(double) * d);
    double *term = (double *)malloc(sizeof(double) * k);

    for (int c = 0; c < k; c++) {
        logdet[c] = 0.0;
        for (int i = 0; i < d; i++) {
            logdet[c] += icf[c * width + i];
            diag[c * d + i] = exp(icf[c * width + i]);
        }
    }

    double fit = 0.0;
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < k; c++) {
            for (int i = 0; i < d; i++)
                centred[i] = data[p * d + i] - means[c * d + i];
            lower_times(d, &diag[c * d], &icf[c * width + d], centred, scaled);
            term[c] = alphas[c] + logdet[c] - 0.5 * squared_norm(d, scaled);
        }
        fit += log_sum_exp(k, term);
    }

    double prior = 0.0;
    for (int c = 0; c < k; c++) {
        double frobenius = squared_norm(d, &diag[c * d]) + squared_norm(width - d, &icf[c * width + d]);
        prior += 0.5 * gamma * gamma * frobenius - m * logdet[c];
    }
    const int dof = d + m + 1;
    const double wishart = dof * d * (log(gamma) - 0.5 * log(2.0)) - log_gamma_distrib(0.5 * dof, d);
    const double constant = -n * d * 0.5 * log(2.0 * 3.14159265358979323846);

    const double result = constant + fit - n * log_sum_exp(k, alphas) + prior - k * wishart;
    free(diag);
    free(logdet);
    free(centred);
    free(scaled);
    free(term);
    return result;
}

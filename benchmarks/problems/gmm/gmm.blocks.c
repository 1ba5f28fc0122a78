/* gmm.c for vector registers: LANES points at a time, the innermost loops over them. */
#include "gmm.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 8 };

static double squared_norm(int n, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

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

static double log_gamma_distrib(double a, int p)
{
    double out = 0.25 * p * (p - 1) * log(3.14159265358979323846);
    for (int j = 1; j <= p; j++)
        out += lgamma(a + 0.5 * (1 - j));
    return out;
}

/* Several points at a time: each row of the work arrays has one number of each of them. */
typedef double Row[LANES];

double OBJECTIVE_NAME(int d, int k, int n, const double *alphas,
                     const double *means, const double *icf,
                     const double *data, double gamma, int m)
{
    const int width = d + d * (d - 1) / 2;
    double *diag = (double *)malloc(sizeof(double) * d * k);
    double *logdet = (double *)malloc(sizeof(double) * k);
    Row *point = (Row *)malloc(sizeof(Row) * d);
    Row *centred = (Row *)malloc(sizeof(Row) * d);
    Row *scaled = (Row *)malloc(sizeof(Row) * d);
    Row *term = (Row *)malloc(sizeof(Row) * k);

    for (int c = 0; c < k; c++) {
        logdet[c] = 0.0;
        for (int i = 0; i < d; i++) {
            logdet[c] += icf[c * width + i];
            diag[c * d + i] = exp(icf[c * width + i]);
        }
    }

    double fit = 0.0;
    for (int p = 0; p < n; p += LANES) {
        for (int i = 0; i < d; i++)
            for (int l = 0; l < LANES; l++)
                point[i][l] = data[(p + l < n ? p + l : n - 1) * d + i];
        for (int c = 0; c < k; c++) {
            const double *mean = &means[c * d], *q = &diag[c * d], *low = &icf[c * width + d];
            for (int i = 0; i < d; i++)
                for (int l = 0; l < LANES; l++)
                    centred[i][l] = point[i][l] - mean[i];
            for (int i = 0; i < d; i++)
                for (int l = 0; l < LANES; l++)
                    scaled[i][l] = q[i] * centred[i][l];
            int at = 0;
            for (int i = 0; i < d; i++)
                for (int j = i + 1; j < d; j++, at++)
                    for (int l = 0; l < LANES; l++)
                        scaled[j][l] += low[at] * centred[i][l];
            Row norm = {0};
            for (int i = 0; i < d; i++)
                for (int l = 0; l < LANES; l++)
                    norm[l] += scaled[i][l] * scaled[i][l];
            for (int l = 0; l < LANES; l++)
                term[c][l] = alphas[c] + logdet[c] - 0.5 * norm[l];
        }
        Row top, sum = {0};
        for (int l = 0; l < LANES; l++)
            top[l] = term[0][l];
        for (int c = 1; c < k; c++)
            for (int l = 0; l < LANES; l++)
                top[l] = term[c][l] > top[l] ? term[c][l] : top[l];
        for (int c = 0; c < k; c++)
            for (int l = 0; l < LANES; l++)
                sum[l] += exp(term[c][l] - top[l]);
        for (int l = 0; l < LANES; l++)
            fit += p + l < n ? top[l] + log(sum[l]) : 0.0;
    }

    double prior = 0.0;
    for (int c = 0; c < k; c++) {
        double frobenius = squared_norm(d, &diag[c * d]) +
                           squared_norm(width - d, &icf[c * width + d]);
        prior += 0.5 * gamma * gamma * frobenius - m * logdet[c];
    }
    const int dof = d + m + 1;
    const double wishart = dof * d * (log(gamma) - 0.5 * log(2.0)) -
                           log_gamma_distrib(0.5 * dof, d);
    const double constant = -n * d * 0.5 * log(2.0 * 3.14159265358979323846);

    const double result = constant + fit - n * log_sum_exp(k, alphas) + prior -
                          k * wishart;
    free(diag);
    free(logdet);
    free(point);
    free(centred);
    free(scaled);
    free(term);
    return result;
}

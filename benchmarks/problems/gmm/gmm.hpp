// gmm.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

namespace gmm {

template <class T> T log_sum_exp(int n, const T *x)
{
    using std::exp;
    using std::log;
    T top = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > top)
            top = x[i];
    T sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - top);
    return top + log(sum);
}

template <class T> T squared_norm(int n, const T *v)
{
    T sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

inline double log_gamma_distrib(double a, int p)
{
    double out = 0.25 * p * (p - 1) * std::log(3.14159265358979323846);
    for (int j = 1; j <= p; j++)
        out += std::lgamma(a + 0.5 * (1 - j));
    return out;
}

template <class T>
T objective(int d, int k, int n, const T *alphas, const T *means, const T *icf,
            const double *data, double gamma, int m)
{
    using std::exp;
    const int width = d + d * (d - 1) / 2;
    std::vector<T> diag(d * k), logdet(k), centred(d), scaled(d), term(k);
    for (int c = 0; c < k; c++) {
        logdet[c] = 0.0;
        for (int i = 0; i < d; i++) {
            logdet[c] += icf[c * width + i];
            diag[c * d + i] = exp(icf[c * width + i]);
        }
    }
    T fit = 0.0;
    for (int p = 0; p < n; p++) {
        for (int c = 0; c < k; c++) {
            const T *low = &icf[c * width + d];
            for (int i = 0; i < d; i++) {
                centred[i] = data[p * d + i] - means[c * d + i];
                scaled[i] = diag[c * d + i] * centred[i];
            }
            int at = 0;
            for (int i = 0; i < d; i++)
                for (int j = i + 1; j < d; j++)
                    scaled[j] += low[at++] * centred[i];
            term[c] = alphas[c] + logdet[c] - 0.5 * squared_norm(d, &scaled[0]);
        }
        fit += log_sum_exp(k, &term[0]);
    }
    T prior = 0.0;
    for (int c = 0; c < k; c++) {
        T frobenius = squared_norm(d, &diag[c * d]) +
                      squared_norm(width - d, &icf[c * width + d]);
        prior += 0.5 * gamma * gamma * frobenius - double(m) * logdet[c];
    }
    const int dof = d + m + 1;
    const double wishart = dof * d * (std::log(gamma) - 0.5 * std::log(2.0)) -
                           log_gamma_distrib(0.5 * dof, d);
    const double constant = -n * d * 0.5 * std::log(2.0 * 3.14159265358979323846);
    T result = constant + fit - double(n) * log_sum_exp(k, alphas) + prior -
               k * wishart;
    return result;
}
}  // namespace gmm

template <class T> void evaluate(const Problem &p, int, const T *x, T *y)
{
    const T *means = x + p.k, *icf = means + p.k * p.d;
    y[0] = gmm::objective<T>(p.d, p.k, p.n, x, means, icf, p.data.data(), p.gamma, p.m);
}

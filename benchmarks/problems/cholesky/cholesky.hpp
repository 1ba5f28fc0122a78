// cholesky.c for any scalar.
#pragma once
#include "problem.hpp"
#include <cmath>
#include <vector>

template <class T> void evaluate(const Problem &p, int, const T *a, T *y)
{
    const int n = p.n;
    using std::log;
    using std::sqrt;
    const T *b = a + n * n;
    std::vector<T> l(n * n), x(n);
    for (int j = 0; j < n; j++) {
        T sum = a[j * n + j];
        for (int k = 0; k < j; k++)
            sum -= l[j * n + k] * l[j * n + k];
        l[j * n + j] = sqrt(sum);
        for (int i = j + 1; i < n; i++) {
            sum = a[i * n + j];
            for (int k = 0; k < j; k++)
                sum -= l[i * n + k] * l[j * n + k];
            l[i * n + j] = sum / l[j * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        T sum = b[i];
        for (int k = 0; k < i; k++)
            sum -= l[i * n + k] * x[k];
        x[i] = sum / l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        T sum = x[i];
        for (int k = i + 1; k < n; k++)
            sum -= l[k * n + i] * x[k];
        x[i] = sum / l[i * n + i];
    }
    T total = 0.0;
    for (int i = 0; i < n; i++)
        total += b[i] * x[i] + 2.0 * log(l[i * n + i]);
    y[0] = total;
}

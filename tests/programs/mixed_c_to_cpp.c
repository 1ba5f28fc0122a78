// check: array n=6,1 with=mixed_c_to_cpp_part.cpp
// C calls C++: a container behind a handle, and a function that takes a C callback.
typedef struct series series;
series *series_of(const double *x, int n);
double series_norm(const series *s, double (*weight)(double, const void *), const void *data);
void series_free(series *s);

static double weight(double v, const void *data)
{
    return v * *(const double *)data;
}

double objective(double *x, int n)
{
    series *s = series_of(x, n);
    double scale = x[0] * x[n - 1];
    double norm = series_norm(s, weight, &scale);
    series_free(s);
    return norm * norm + scale;
}

// check: main
// Hessian times vector where shadows hold words that are pointers in some objects and numbers in others: arrays of structs
// that grow and are copied.
#include <math.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff_void(void *, ...);
struct range { double low, high; };
typedef struct { struct range range; char tag; double a[3]; double v; double *ptr; } part;

static double f(double *x, double *y, int n)
{
    double b = sin(x[1] * x[2]), u[6], w[3][4] = {{0}};
    for (int i = 0; i < 6; i++) u[i] = 0.2 * i + (i < n ? x[i] : 0.1);
    part *parts = calloc(1, sizeof *parts);
    parts[0].ptr = u;
    for (int i = 1; i < 4; i++) {
        parts = realloc(parts, (i + 1) * sizeof *parts);
        parts[i] = parts[i / 2];
        for (int j = 1; j < 2 + n; j++) {
            double *chosen = j > 0 ? &u[(j + n) % 6] : &b;
            *chosen = 0.7 * sin(*chosen + x[(j * j) % 4]);
        }
        double *a = parts[i].a;
        parts[i].ptr[(i + 1) % 2] = a[(int)(3.0 * fabs(a[0])) % 3] / (1.0 + fabs(a[(int)(3.0 * fabs(a[0])) % 3]));
    }
    for (int i = 0; i < 4; i++) w[n % 3][3] += 0.1 * parts[i].v * parts[i].ptr[0];
    free(parts);
    for (int i = 0; y[2] > 0 && i < 4; i++) x[i] = tanh(0.1 * rint(w[1][(i + n) % 4])) + 0.5 * x[i] * x[i];
    return x[0] * b + x[3] * u[3];
}

static void reverse(double *x, double *x_bar, double *y, double *y_bar, int n)
{
    __enzyme_autodiff((void *)f, enzyme_dup, x, x_bar, enzyme_dup, y, y_bar, enzyme_const, n);
}

static const double at[4] = {0.7, 0.4, 0.6, 0.3}, along[4] = {1, -0.5, 0.3, 0.2};

static void gradient(double by, double *x_bar)
{
    double x[4], y[4] = {0.1, 0.2, 0.3, 0.4}, y_bar[4] = {0};
    memset(x_bar, 0, 4 * sizeof *x_bar);
    for (int i = 0; i < 4; i++) x[i] = at[i] + by * along[i];
    reverse(x, x_bar, y, y_bar, 4);
}

int main(void)
{
    double above[4], below[4], h = 1e-5;
    gradient(h, above);
    gradient(-h, below);
    double x[4], x_dot[4], x_bar[4] = {0}, product[4] = {0};
    double y[4] = {0.1, 0.2, 0.3, 0.4}, y_dot[4] = {0}, y_bar[4] = {0}, y_bar_dot[4] = {0};
    memcpy(x, at, sizeof x);
    memcpy(x_dot, along, sizeof x_dot);
    __enzyme_fwddiff_void((void *)reverse, enzyme_dup, x, x_dot, enzyme_dup, x_bar, product, enzyme_dup, y, y_dot,
                          enzyme_dup, y_bar, y_bar_dot, enzyme_const, 4);
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        double difference = (above[i] - below[i]) / (2 * h);
        if (!(fabs(difference - product[i]) < 1e-7 * (1 + fabs(difference)))) return 1;
        largest = fmax(largest, fabs(product[i]));
    }
    return largest > 0.1 ? 0 : 2;
}

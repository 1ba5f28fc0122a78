// check: array n=9
// Two-dimensional local arrays and a function on rows.
enum { SIZE = 3 };

static void multiply(double a[SIZE][SIZE], double b[SIZE][SIZE], double out[SIZE][SIZE])
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            double sum = 0.0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            out[i][j] = sum;
        }
}

double objective(const double *x, int n)
{
    double a[SIZE][SIZE], transposed[SIZE][SIZE], product[SIZE][SIZE], trace = 0.0;
    for (int i = 0; i < n; i++) {
        a[i / SIZE][i % SIZE] = x[i];
        transposed[i % SIZE][i / SIZE] = x[i] * x[i];
    }
    multiply(a, transposed, product);
    multiply(product, a, transposed);
    for (int i = 0; i < SIZE; i++)
        trace += product[i][i] * transposed[i][SIZE - 1 - i];
    return trace;
}

// check: inplace n=6 range=1.0:2.0
// Forward substitution in place: x becomes L^-1 x where L is made of x itself.
void transform(double *x, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= 0.1 * (i + j) * x[j] * x[j];
        x[i] /= 2.0 + x[i] * x[i];
    }
}

// check: array n=10
// A counter that moves inside the subscript of a compound assignment.
double objective(const double *x, int n)
{
    double out[4] = {1.0, 2.0, 0.5, 1.5};
    int at = 0;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++)
            out[j] += x[at++] * out[i];
    return out[3] * out[2] - out[1] + at * x[n - 1];
}

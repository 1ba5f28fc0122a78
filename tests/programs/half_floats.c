// check: array n=6 lenient=1 tol=0.2 identity=1e-2 step=0.2
// _Float16 storage and arithmetic between doubles.
double objective(const double *x, int n)
{
    _Float16 packed[8];
    for (int i = 0; i < n; i++)
        packed[i] = (_Float16)x[i];
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        _Float16 h = packed[i] * packed[(i + 1) % n];
        sum += (float)h;
    }
    _Float16 b = (_Float16)sum;
    return (double)(float)b * x[0] + (double)sum;
}

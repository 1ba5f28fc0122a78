// check: array n=5
// A ring buffer: a delay line with feedback over many samples.
double objective(const double *x, int n)
{
    double line[8] = {0}, sum = 0.0;
    int head = 0;
    for (int t = 0; t < 60; t++) {
        double in = t < 2 * n ? x[t % n] : 0.0;
        double delayed = line[(head + 3) % 8], out = in + x[0] * 0.5 * delayed - 0.2 * line[head] * x[1];
        line[head] = out;
        head = (head + 1) % 8;
        sum += out * out;
    }
    return sum;
}

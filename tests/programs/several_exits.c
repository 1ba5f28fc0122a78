// check: array n=9
// A loop that can be left in three ways, each giving another result.
double objective(const double *x, int n)
{
    double product = 1.0, sum = 0.0;
    int i = 0;
    for (;;) {
        if (i == n)
            return product + sum;
        product *= x[i];
        if (product > 3.0)
            return product * sum;
        sum += product * x[i];
        if (sum > 4.0)
            break;
        i++;
    }
    return sum * sum / (i + 1);
}

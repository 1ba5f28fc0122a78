// check: scalar n=2
// Old-fashioned storage classes.
double objective(double a, double b)
{
    register double product = a * b;
    volatile double kept = product * a;
    auto int i;
    for (i = 0; i < 3; i++)
        kept = kept * b + product;
    return kept;
}

// check: scalar n=1
// Plain recursion on an integer: a truncated continued fraction.
static double fraction(double x, int depth)
{
    if (depth == 0)
        return x;
    return x + 1.0 / (depth + fraction(x * 0.9, depth - 1));
}

double objective(double a)
{
    return fraction(a, 12);
}

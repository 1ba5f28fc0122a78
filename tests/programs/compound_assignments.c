// check: scalar n=3
// All compound assignments, commas, and increments of doubles.
double objective(double a, double b, double c)
{
    double r = a;
    r += b, r *= c, r -= a * a, r /= 1.0 + b * b;
    r++;
    --b;
    r = (a = b * r, a + c) * r;
    return r * a + -b;
}

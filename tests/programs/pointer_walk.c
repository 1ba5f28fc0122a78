// check: array n=8
// Pointers that walk, from both ends and by a stride; the difference of pointers.
double objective(const double *x, int n)
{
    const double *p = x, *end = x + n;
    double sum = 0.0;
    while (p != end) {
        sum += *p * (double)(end - p);
        p++;
    }
    const double *front = x, *back = end - 1;
    while (front < back)
        sum += *front++ * *back--;
    for (p = x + 1; p < end; p += 3)
        sum *= *p;
    return sum;
}

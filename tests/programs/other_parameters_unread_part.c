double pick(x, k, n) double x, k; int n; { return n > 2 ? x * x * k : x; }
double no_more(double x, double k, int n) { return x * x; }
int doubled(double *x) { *x *= 2; return 1; }
double fewer(double x, double y) { return x * y * y; }
long address(double *x) { return (long)x; }
void *same(void *x) { return x; }

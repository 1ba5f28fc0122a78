// check: array n=3 refused=E0146 with=other_parameters_part.c
// A function that is declared with fewer parameters than it is defined with, an integer where it takes a number.
double area(double x, long n);
double objective(double *x, int n) { return area(x[0], 3) + x[n - 1]; }

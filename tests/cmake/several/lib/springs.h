double energy(const double *x, int n, double k);
double damping(const double *v, int n);

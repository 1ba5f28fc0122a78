// A chain of springs with stiffness k; x are the positions of its n ends.
double energy(const double *x, int n, double k);

// The force on each of its ends.
void force(const double *x, double *f, int n, double k);

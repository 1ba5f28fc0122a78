// A chain of springs with stiffness k; x are the positions of its n ends.
double energy(const double *x, int n, double k);

// Of one spring; it is in Rust.
double spring_energy(double stretch, double k);

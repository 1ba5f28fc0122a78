extern "C" double cube(double x);
double __enzyme_autodiff(void *, double);

int main() { return __enzyme_autodiff(reinterpret_cast<void *>(cube), 2.0) == 12 ? 0 : 1; }

/* The declaration has another name than the definition. */
double smooth_loss(double x) { return x * x; }
double smoth_loss(double);
double __enzyme_autodiff(void *, double);

int main(void) { return __enzyme_autodiff((void *)smoth_loss, 2.0) > 1; }

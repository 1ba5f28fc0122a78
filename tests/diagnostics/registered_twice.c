// Two rules for one function: which one counts would depend on their order.
extern double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
double augmented(double x) { return x * x; }
double reverse(double x, double bar) { return 2 * x * bar; }
double other(double x, double bar) { return 3 * x * bar; }
void *__enzyme_register_gradient_a[] = {(void *)square, (void *)augmented, (void *)reverse};
void *__enzyme_register_gradient_b[] = {(void *)square, (void *)augmented, (void *)reverse};
void *__enzyme_register_gradient_c[] = {(void *)square, (void *)augmented, (void *)other};
int main(void) { return __enzyme_autodiff((void *)square, 3.0) != 6; }

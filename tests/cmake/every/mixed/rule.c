// A derivative that no analysis would find: a hundred times too large.
double scaled(double x) { return 2 * x; }
static double augmented_scaled(double x) { return 2 * x; }
static double reverse_scaled(double x, double result_bar) { return 200 * result_bar; }
void *__enzyme_register_gradient_scaled[] = {(void *)scaled, (void *)augmented_scaled, (void *)reverse_scaled};

double noise(double x) { return x * x; }

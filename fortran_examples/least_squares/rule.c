/* Reverse mode uses the functions of solver.f90 instead of differentiating LAPACK. */
void least_squares(void), augmented_least_squares(void), reverse_least_squares(void);
void *__enzyme_register_gradient_least_squares[] = {
    (void *)least_squares, (void *)augmented_least_squares, (void *)reverse_least_squares};

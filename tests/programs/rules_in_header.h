// A library in a header, with static rules that nothing uses.
#ifndef RULES_IN_HEADER_H
#define RULES_IN_HEADER_H
static double square(double x)
{
    return x * x;
}
static double augmented_square(double x)
{
    return x * x;
}
static double reverse_square(double x, double seed)
{
    return 100 * x * seed;
}
static double stopped(double x)
{
    return x;
}
static void *__enzyme_register_gradient_square[3]
    = {(void *)square, (void *)augmented_square, (void *)reverse_square};
static void *const __enzyme_inactivefn_stopped[1] = {(void *)stopped};
static double state = 1; // kept by the compiler with the others; may still be a register
#endif

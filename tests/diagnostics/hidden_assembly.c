extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);

// Assembly reaches memory by names in its text, and by addresses that only it knows.
double state = 1.0;

static double read_by_name(const double *x)
{
    double r;
    state = x[0] * x[0];
    __asm__ volatile("movsd state(%%rip), %0" : "=x"(r) : : "memory");
    return r * x[0];
}

__attribute__((noinline)) static void clear(void)
{
    __asm__ volatile("movq $0, state(%%rip)" : : : "memory");
}

static double changed_in_a_call(const double *x)
{
    state = x[0] * x[0];
    clear();
    return state * x[0];
}

static double by_an_integer(double *x, unsigned long address)
{
    double r;
    x[1] = x[0] * x[0];
    __asm__ volatile("movsd (%1), %0" : "=x"(r) : "r"(address) : "memory");
    return r * x[0];
}

static double by_the_system(double *x)
{
    long got;
    x[1] = x[0] * x[0];
    __asm__ volatile("syscall" : "=a"(got) : "a"(39) : "rcx", "r11", "memory");
    return x[1] * x[0] + (double)got;
}

int main(void)
{
    double x[2] = {1.5, 0}, x_bar[2] = {0};
    __enzyme_autodiff((void *)read_by_name, x, x_bar);
    __enzyme_autodiff((void *)changed_in_a_call, x, x_bar);
    __enzyme_autodiff((void *)by_an_integer, x, x_bar, (unsigned long)(x + 1));
    __enzyme_autodiff((void *)by_the_system, x, x_bar);
}

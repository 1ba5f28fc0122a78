// check: main
// A request for one of two functions, declared with a result that is not used; a shadow of a variable whose initialiser
// makes clang name its padding.
extern double __enzyme_autodiff(void *, ...);
struct config { double k; int mode; double *p; } settings = {2, 1, 0}, settings_bar;
void *__enzyme_shadow_settings[] = {&settings, &settings_bar};
static double f(double *x) { return x[0] * x[0]; }
static double g(double *x) { return 3 * x[0]; }
static double scaled(double x) { return settings.k * x * x; }
int main(int count, char **words)
{
    (void)words;
    double x[1] = {2}, x_bar[1] = {0};
    __enzyme_autodiff((void *)(count > 1 ? f : g), x, x_bar);
    if (x_bar[0] != 3)
        return 1;
    return __enzyme_autodiff((void *)scaled, 3.0) != 12 || settings_bar.k != 9;
}

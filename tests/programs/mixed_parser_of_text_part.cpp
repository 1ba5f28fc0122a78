#include <string>

extern "C" double value_of(const char *formula, const double *x, unsigned long n);

extern "C" double of_string(const double *x, unsigned long n)
{
    std::string formula = n > 3 ? "$0*$1+1.5*hyp($2*$0,2+$1)+exp($3)" : "2*$0+!";
    return value_of(formula.c_str(), x, n);
}

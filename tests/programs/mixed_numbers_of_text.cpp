// check: array n=6,3 with=mixed_numbers_of_text_part.rs
// Rust makes numbers of the text that C++ keeps in a std::string, where numbers with a derivative were before.
#include <string>

extern "C" double weighted(const char *weights, const double *x, unsigned long n);

extern "C" double objective(const double *x, int n)
{
    std::string weights = "0.5;1.25e-1;x;3";
    for (int i = 4; i < n; i++)
        weights += ";-2.75";
    return weighted(weights.c_str(), x, static_cast<unsigned long>(n));
}

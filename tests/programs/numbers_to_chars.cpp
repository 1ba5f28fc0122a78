// check: array n=3 flags=-std=c++17
// Numbers to characters by std::to_chars, which are constant when they are read again; lines by __getdelim.
#include <charconv>
#include <cstdio>
#include <cstdlib>

extern "C" ssize_t __getdelim(char **line, size_t *size, int end, FILE *file);

static double digits(double x, char *text, char *end)
{
    auto [at, error] = std::to_chars(text, end, x);
    if (error != std::errc())
        return 0;
    at = std::to_chars(at, end, (float)x, std::chars_format::scientific).ptr;
    at = std::to_chars(at, end, (long double)x, std::chars_format::fixed, 3).ptr;
    *at = 0;
    return at > text;
}

extern "C" double objective(const double *x, int n)
{
    char text[128];
    double some = digits(x[0], text, text + sizeof text - 1), read = x[1];
    std::from_chars(text, text + sizeof text, read);
    char line[] = "0.5;2.5";
    FILE *file = fmemopen(line, sizeof line, "r");
    char *field = nullptr;
    size_t size = 0;
    if (__getdelim(&field, &size, ';', file) > 0)
        some += std::atof(field) * x[n - 1];
    std::free(field);
    std::fclose(file);
    char small[2];
    some += digits(x[1], small, small + 1) + x[2] * (read - std::atof(text) + 1);
    return some * x[0] * x[1];
}

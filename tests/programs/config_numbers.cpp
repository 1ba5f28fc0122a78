// check: array n=5
// Parameters parsed of a configuration text in a recursive expression reader: std::stod, std::strtod,
// std::to_string, errors that are thrown.
#include <string>
#include <cstdlib>
#include <cmath>
#include <map>
#include <stdexcept>
namespace {
struct Reader {
    const char *at;
    const double *x;
    int n;
    double primary()
    {
        while (*at == ' ') at++;
        if (*at == '(') {
            at++;
            double v = sum();
            if (*at != ')') throw std::runtime_error("expected )");
            at++;
            return v;
        }
        if (*at == 'x') {
            at++;
            char *end;
            long i = std::strtol(at, &end, 10);
            at = end;
            return x[i % n];
        }
        if (*at == 's') {
            at += 3;
            return std::sin(primary());
        }
        char *end;
        double v = std::strtod(at, &end);
        at = end;
        return v;
    }
    double product()
    {
        double v = primary();
        for (;;) {
            while (*at == ' ') at++;
            if (*at == '*') { at++; v *= primary(); }
            else if (*at == '/') { at++; v /= primary(); }
            else return v;
        }
    }
    double sum()
    {
        double v = product();
        for (;;) {
            while (*at == ' ') at++;
            if (*at == '+') { at++; v += product(); }
            else if (*at == '-') { at++; v -= product(); }
            else return v;
        }
    }
};
double deep(const std::string &text, const double *x, int level)
{
    double factor = std::stod(text);
    if (level == 0) return factor * x[0];
    std::string next = std::to_string(factor + level);
    return x[level] * deep(next, x, level - 1) + factor;
}
}
extern "C" double objective(const double *x, int n)
{
    Reader r{"2.5 * x0 * (x1 + 3.25e-1 * sin(x2 * x3)) - x4 / (1.5 + x0 * x0)", x, n};
    double v = r.sum();
    v += deep("0.75", x, n - 1);
    return v * v;
}

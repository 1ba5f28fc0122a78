// check: array n=5
// Numbers that become text and numbers again, in a function that calls itself: the text has no derivative.
#include <string>

static double deep(const std::string &text, const double *x, int level)
{
    double factor = std::stod(text);
    if (level == 0)
        return factor * x[0];
    std::string next = std::to_string(factor + level);
    return x[level] * deep(next, x, level - 1) + factor;
}

extern "C" double objective(double *x, int n)
{
    double v = deep("0.75", x, n - 1);
    return v * v;
}

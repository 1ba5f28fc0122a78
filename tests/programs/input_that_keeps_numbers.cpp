// check: array n=3 flags=-std=c++17
// Numbers that input does not reach keep their values and derivatives; what is read, a 0 for a failure and a number that
// was there before included, has none.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>

template <class T>
static T from_chars(const std::string &text, T value)
{
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

template <class T>
static T extract(const char *text, T a, T b)
{
    std::istringstream in(text);
    in >> a >> b;
    return a * 2 + b;
}

// The words of a line one after the other into the same number, in a loop.
static double words(const char *text, double value)
{
    std::istringstream in(text);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        in >> value;
        sum += value * (i + 1);
        if (i == 1)
            value = sum * value;
    }
    return sum;
}

static double bytes(const double *x, std::streamsize asked)
{
    const double stored[2] = {0.5, 1.5};
    std::istringstream in(std::string(reinterpret_cast<const char *>(stored), sizeof stored));
    double w[4] = {x[0], x[1] * x[1], x[2], x[0] * x[2]};
    in.read(reinterpret_cast<char *>(w), asked);
    return w[0] * x[1] + w[1] * x[0] + w[2] * w[3];
}

// The number that is there already is the one that is read.
static double same(double x)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", x);
    double value = 1.5 + (x - std::atof(text));
    std::istringstream in("1.5");
    in >> value;
    return value * x;
}

extern "C" double objective(const double *x, int n)
{
    double sum = from_chars("abc", x[0] * x[1]) * x[1] + from_chars("1e999", x[0] * x[0]) + from_chars("2.5", x[0] * x[1]);
    sum += (double)from_chars("", (float)x[1]) * x[2] + (double)from_chars("0.5", (float)x[1]) * x[2];
    sum += (double)(from_chars("?", (long double)x[2]) * x[2] + from_chars("0.5", (long double)x[2]) * x[2]);
    sum += extract<double>("1.5", x[0] * x[1], x[2]) * x[0] + extract<double>("1.5 word", x[0] * x[1], x[2]) * x[0];
    sum += extract<double>("", x[0] * x[1], x[2]) * x[0] + (double)extract<float>("2", (float)x[0], (float)x[1]);
    sum += (double)extract<long double>("2", x[0], x[1] * x[2]);
    sum += words("1.5 2.5 3.5", x[0] * x[1]) * x[2] + words("1.5", x[0]) + words("", x[1]) * x[1];
    return sum + bytes(x, 16) + bytes(x, 32) + bytes(x, 8) + bytes(x, 0) + same(x[n - 1]);
}

// check: array n=3 flags=-std=c++17
// Numbers that are read from streams and text may be left out: then the old one stays, with its derivative. One that is read has
// none, also if it is the one that was there, nor has the zero that stands for what is no number.
#include <charconv>
#include <sstream>

template <class T> static T after(std::istringstream in, T first, T second)
{
    in >> first >> second;
    return first * first + 3 * second;
}

#ifndef _LIBCPP_VERSION
template <class T> static T chars(const char *text, int length, T value)
{
    std::from_chars(text, text + length, value);
    return value;
}
#endif

extern "C" double objective(const double *x, int n)
{
    double a = x[0] * x[1], b = x[1] * x[2], same = 1.5 + (x[1] - x[1]);
    std::istringstream("1.5") >> same;
    double sum = same * x[2] + after<double>(std::istringstream("1.5"), a, b) * x[0];
    sum += after<double>(std::istringstream("1.5 2.5"), a, b) * x[1] + after<double>(std::istringstream(), a, b) * x[2];
    sum += after<double>(std::istringstream("word"), a, b) * x[0] + after<float>(std::istringstream("0.5"), a, b) * x[1];
    sum += (double)after<long double>(std::istringstream("0.5"), a, b) * x[2];
#ifndef _LIBCPP_VERSION
    sum += chars<double>("abc", 3, a) * x[1] + chars<double>("2.5", 3, a) * x[2] + chars<double>("", 0, b) * x[0];
    sum += chars<float>("2.5", 3, x[0]) * a + (double)chars<long double>("1e999999", 8, x[1]) * b;
#endif
    return sum;
}

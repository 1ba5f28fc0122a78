// check: array n=5
// Text made from active numbers on the side: string streams, printf into a buffer, conditional log output.
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <iostream>
#include <sstream>

extern "C" double objective(const double *x, int n)
{
    std::ostringstream text;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * std::sin(x[i]);
        text << std::setprecision(3) << sum << ';';
    }
    char line[64];
    int written = std::snprintf(line, sizeof line, "%.3f", sum);
    if (sum > 1e6)
        std::cerr << "large: " << sum << std::endl;
    return sum * (text.str().empty() ? 0.0 : 2.0) + 0.0 * written;
}

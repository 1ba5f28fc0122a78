// check: array n=4
// operator>> into active variables of a stream of numbers.
#include <sstream>
#include <string>

extern "C" double objective(const double *x, int n)
{
    std::istringstream in("1.5 words 2.25 0.5");
    double a = x[0] * x[1], b = x[2];
    float c = 0.5f;
    double before = a * b;
    std::string word;
    in >> a >> word >> c >> b;
    std::ostringstream out;
    out << a << ' ' << x[0] << std::endl;
    return before + a * x[1] + b * b * x[3] + c * x[n - 1] + (double)out.str().size() * 0;
}

// check: array n=6,1,0
// std::vector: sized construction, push_back, iteration, element access.
#include <cmath>
#include <vector>

extern "C" double objective(const double *x, int n)
{
    std::vector<double> squares(n), grown;
    for (int i = 0; i < n; i++) {
        squares[i] = x[i] * x[i];
        grown.push_back(std::sin(x[i]));
        grown.push_back(squares[i]);
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < grown.size(); i++)
        sum += grown[i] * squares[i / 2];
    return sum;
}

// check: array n=3,9,5
// Static containers that grow at some calls and keep their memory: filled again, cleared and pushed to, swapped.
#include <algorithm>
#include <vector>

namespace {
std::vector<double> squares;
std::vector<std::vector<double>> rows;
}

extern "C" double objective(const double *x, int n)
{
    static std::vector<double> products, other;
    squares.resize(n);
    for (int i = 0; i < n; i++)
        squares[i] = x[i] * x[i];
    products.clear();
    for (int i = 0; i < n; i++)
        products.push_back(squares[i] * x[(i + 1) % n]);
    if ((int)rows.size() < n)
        rows.resize(n);
    for (int i = 0; i < n; i++)
        rows[i].assign(products.begin(), products.begin() + i + 1);
    other.assign(x, x + n);
    products.swap(other);
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (double v : rows[i])
            sum += v * products[i];
        sum += *std::max_element(other.begin(), other.end());
    }
    return sum;
}

// check: array n=5 range=0.3:1.7
// Dynamic programming over two strings with costs as parameters: soft minimum in the table.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

static double soft_min(double a, double b, double c)
{
    double m = std::min({a, b, c});
    return m - std::log(std::exp(m - a) + std::exp(m - b) + std::exp(m - c));
}

extern "C" double objective(const double *x, int n)
{
    const std::string a = "kitten", b = "sitting";
    std::vector<std::vector<double>> table(a.size() + 1, std::vector<double>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); i++)
        for (std::size_t j = 0; j <= b.size(); j++) {
            if (i == 0 || j == 0)
                table[i][j] = i * x[0] + j * x[1];
            else
                table[i][j] = soft_min(table[i - 1][j] + x[0], table[i][j - 1] + x[1],
                                       table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0.1 * x[3] : x[2]));
        }
    return table.back().back() * x[n - 1];
}

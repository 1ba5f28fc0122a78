// check: array n=6
// Numbers by names: text, short and long, lies in the same nodes, where the table itself has its members.
#include <string>
#include <unordered_map>

extern "C" double objective(const double *x, int n)
{
    std::unordered_map<std::string, double> sums;
    const char *names[] = {"alpha", "beta", "a long name that does not fit in place"};
    for (int i = 0; i < n; i++)
        sums[names[i % 3]] += x[i] * x[i];
    double product = 1;
    for (auto &[name, sum] : sums)
        product *= sum / (double)name.size();
    return sums["alpha"] * sums["beta"] + sums["a long name that does not fit in place"] + product;
}

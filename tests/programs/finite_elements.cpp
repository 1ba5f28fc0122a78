// check: array n=7
// Linear finite elements in one dimension: assembly into a banded matrix, Thomas algorithm, compliance.
#include <vector>

struct Element {
    int left, right;
    double stiffness;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<Element> elements;
    for (int e = 0; e < n; e++)
        elements.push_back({e, e + 1, x[e] * x[e] + 0.5});
    std::vector<double> lower(n + 1), diagonal(n + 1), upper(n + 1), load(n + 1, 0.1);
    for (const auto &[left, right, k] : elements) {
        diagonal[left] += k;
        diagonal[right] += k;
        upper[left] -= k;
        lower[right] -= k;
        load[right] += 0.5 / k;
    }
    diagonal[0] += 1e3;
    for (int i = 1; i <= n; i++) {
        double m = lower[i] / diagonal[i - 1];
        diagonal[i] -= m * upper[i - 1];
        load[i] -= m * load[i - 1];
    }
    std::vector<double> u(n + 1);
    u[n] = load[n] / diagonal[n];
    for (int i = n - 1; i >= 0; i--)
        u[i] = (load[i] - upper[i] * u[i + 1]) / diagonal[i];
    double compliance = 0.0;
    for (int i = 0; i <= n; i++)
        compliance += 0.1 * u[i];
    return compliance;
}

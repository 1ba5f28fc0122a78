// check: array n=6
// A global vector, reached by a pointer that is read from memory, and a line of output, whose end calls a virtual
// function of the library: the stream might be the vector's memory, but holds no numbers.
#include <cmath>
#include <iostream>
#include <vector>

std::vector<double> state(8);

extern "C" double objective(const double *x, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        state[i % 8] = std::sin(x[i]) * x[(i + 1) % n];
        sum += state[i % 8] * x[i];
    }
    if (sum > 1e6)
        std::cout << sum << std::endl;
    return sum;
}

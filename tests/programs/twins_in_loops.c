// check: array n=9,4
// Sines and cosines of one angle in loops one behind the other: the value is the same, but each loop has it in another
// iteration.
#include <math.h>

double objective(const double *x, int n)
{
    double first[3] = {0.1, 0.2, 0.3}, second[3] = {0.3, 0.1, 0.2}, b = x[1];
    for (int round = 0; round < 3; round++) {
        double *at[3] = {first, second, first};
        for (int i = 0; i < n - 2; i++)
            at[round][(int)(3.0 * fabs(second[i % 3])) % 3] = x[i] * cos(b);
        for (int i = 0; i < n - 3; i++)
            at[(round + 1) % 3][2] = first[i % 3] / (1.6 + sin(b)) + x[i] * tanh(b) + sinh(b);
        for (int i = 0; i < round; i++)
            second[i] += 0.1 * cosh(b) * first[i];
    }
    return first[0] * first[1] + first[2] * second[0] + second[1] * second[2];
}

// check: array n=6 real=float
// All in float, with the float functions of libm.
#include <math.h>

float objective(const float *x, int n)
{
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += sinf(x[i]) * expf(-x[(i + 1) % n]) + sqrtf(x[i]) * powf(x[i], 1.5f) + fabsf(x[i] - 3.0f);
    return sum + hypotf(x[0], x[1]) + atan2f(x[2], x[3]) + fminf(x[4], 2.0f);
}

// check: scalar n=2 real=float
// Two floats by value: their adjoints come back in one register.
#include <math.h>

float objective(float a, float b)
{
    return a * tanhf(b) + logf(a + b) / b;
}

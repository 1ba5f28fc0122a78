#include <string.h>
extern float __enzyme_fwddiff(void *, float, float);

/* the exponent of a number is cut off and replaced, in forward mode */
static float f(float a)
{
    int bits;
    memcpy(&bits, &a, sizeof bits);
    bits = 0x5f3759df - (bits >> 1);
    memcpy(&a, &bits, sizeof a);
    return a;
}

int main(int argc, char **argv)
{
    return __enzyme_fwddiff((void *)f, 1.5f * argc, 1.0f) > 0.0f;
}

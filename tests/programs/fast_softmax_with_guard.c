// check: array n=5 real=float refused=E0111
// A softmax with a fast exponential that puts its exponent together by rounding, beside a member that is a number, and
// with a zero for what is too small: nothing of the slope would be left.
#include <stdint.h>

struct softmax {
    float e[8], sum;
};

static float fast_exp(float v)
{
    union {
        float number;
        int32_t bits;
    } u;
    u.bits = (int32_t)(12102203.0f * v) + 1064986823;
    return u.number;
}

float objective(float *x, int n)
{
    struct softmax m = {{0}, 0};
    for (int i = 0; i < n; i++)
        if (x[i] < -80.0f)
            m.e[i] = 0.0f;
        else
            m.e[i] = fast_exp(x[i]);
    for (int i = 0; i < n; i++)
        m.sum += m.e[i];
    float s = 0;
    for (int i = 0; i < n; i++)
        s += (float)(i + 1) * m.e[i] / m.sum;
    return s;
}

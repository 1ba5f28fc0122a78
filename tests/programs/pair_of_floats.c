// check: array n=5 real=float
// A pair of floats by value travels as a vector, of which optimised code leaves lanes undefined.
typedef struct {
    float a, b;
} pair;

__attribute__((noinline)) static pair rotated(pair v, float s)
{
    pair r = {v.a * s - v.b, v.b * s + v.a};
    return r;
}

float objective(const float *x, int n)
{
    pair v = {x[0], x[1]};
    for (int i = 2; i < n; i++)
        v = rotated(v, x[i]);
    return v.a * v.b;
}

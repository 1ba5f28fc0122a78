// check: array n=6 real=float
// Vectors of eight bytes by value, which are passed in the register of a double: alone, and in structs with an integer.
typedef float pair __attribute__((ext_vector_type(2)));
struct Counted {
    pair v;
    int count;
};

__attribute__((noinline)) static pair turned(pair a, pair b) { return a.yx * b + a; }

__attribute__((noinline)) static struct Counted next(struct Counted c)
{
    c.v = c.v * c.v.yx;
    c.count++;
    return c;
}

__attribute__((noinline)) static pair chosen(pair a, pair b, int first) { return first ? a : b; }

float objective(const float *x, int n)
{
    pair a = {x[0], x[1]};
    struct Counted c = {{x[2], x[3]}, 1};
    float result = 0;
    for (int i = 0; i + 1 < n; i++) {
        pair b = {x[i], x[i + 1]};
        a = chosen(turned(a, b), a * b, i % 3);
        c = next(c);
        c.v += b;
        result += a.x * c.v.y * (float)c.count + a.y;
    }
    return result * 0.01f;
}

// check: array n=6,1 real=float
// Integers of one, two and four bytes beside a float, by value: members change places, bytes and bit-fields are computed
// from bits of the word behind which the number lies, and complex numbers have an integer in front of them.
#include <complex.h>
#include <stdbool.h>
struct Weight {
    float value;
    int key;
};
struct Entry {
    int key;
    float value;
};
struct Letter {
    char tag;
    float value;
};
struct Reply {
    bool ok;
    float value;
};
struct Four {
    unsigned char first, second;
    short third;
    float value;
};
struct Fields {
    unsigned low : 5;
    unsigned middle : 20;
    unsigned high : 7;
    float value;
};
struct Signed {
    float value;
    int low : 12;
    int high : 20;
};
struct Counted {
    int count;
    float _Complex z;
};
struct Scaled {
    float _Complex z;
    int count, scale;
};

#define APART __attribute__((noinline)) static

APART struct Entry exchanged(struct Weight w)
{
    return (struct Entry){~w.key, w.value * w.value};
}
APART struct Weight exchanged_back(struct Entry e)
{
    return (struct Weight){e.value * 0.5f, e.key - 1};
}
APART struct Reply above(struct Letter letter, float limit)
{
    struct Reply reply = {letter.value > limit, 0};
    reply.value = reply.ok ? letter.value * letter.value : 3 * letter.value;
    return reply;
}
APART struct Four both(struct Letter letter, struct Reply reply)
{
    return (struct Four){(unsigned char)letter.tag, reply.ok, (short)(letter.tag * 100), letter.value * reply.value};
}
APART struct Letter back(struct Four four)
{
    struct Letter letter = {(char)(four.first + four.second + 1), four.value * 0.5f};
    if (++four.third % 2)
        letter.tag = 'a';
    return letter;
}
APART struct Signed to_signed(struct Fields f)
{
    struct Signed s = {f.value * 2, (int)f.low - 9, (int)f.middle};
    s.high -= (int)f.high;
    return s;
}
APART struct Fields to_fields(struct Signed s)
{
    struct Fields f = {(unsigned)s.low & 31u, (unsigned)s.high & 0xfffffu, 5, s.value * s.value};
    f.low++;
    return f;
}
APART struct Scaled scaled(struct Counted c)
{
    return (struct Scaled){c.z * c.z, c.count + 1, c.count << 2};
}
APART struct Counted counted(struct Scaled s, float _Complex w)
{
    return (struct Counted){s.count - s.scale, s.z * w + conjf(s.z)};
}

float objective(const float *x, int n)
{
    float result = 0;
    struct Letter letter = {'x', 1};
    struct Fields fields = {3, 1000, 2, 1};
    struct Counted c = {2, 0.3f + 0.1f * I};
    for (int i = 0; i < n; i++) {
        struct Weight w = {x[i], (i * 37) % 11 - 5};
        for (int j = 0; j < 3; j++) {
            struct Entry e = exchanged(w);
            e.key += j;
            w = exchanged_back(e);
            result += w.value * (float)(w.key & 3) * 0.1f;
        }
        letter.value = letter.value * 0.3f + x[i];
        struct Four four = both(letter, above(letter, 0.01f));
        four.first -= 3;
        four.third = (short)(four.third * 3);
        letter = back(four);
        result += letter.value * (letter.tag == 'a' ? 2.f : 0.5f);
        fields.value = fields.value * 0.05f + x[i];
        fields.high += (unsigned)i;
        struct Signed s = to_signed(fields);
        s.low += i;
        fields = to_fields(s);
        result += fields.value * (float)(fields.low & 3) + s.value * (float)(s.high & 1);
        struct Scaled z = scaled(c);
        z.scale %= 7;
        c = counted(z, x[i] * 0.3f + x[(i + 1) % n] * 0.2f * I);
        result += crealf(c.z) * (float)(c.count & 3) + cimagf(c.z) + cabsf(z.z);
    }
    return result;
}

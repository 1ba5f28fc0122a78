// check: array n=6
// Distances and indices by pointers through functions that are not inlined; strided iterators; byte-wise cursor reader
// of a packed record buffer.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>
__attribute__((noinline)) static size_t index_of(const double *base, const double *p)
{
    return p - base;
}
__attribute__((noinline)) static uintptr_t bytes_between(const void *a, const void *b)
{
    return (uintptr_t)b - (uintptr_t)a;
}
__attribute__((noinline)) static const double *best(const double *b, const double *e)
{
    const double *m = b;
    for (; b != e; ++b)
        if (*b > *m)
            m = b;
    return m;
}
class Writer
{
    std::vector<unsigned char> &b;

  public:
    explicit Writer(std::vector<unsigned char> &b) : b(b)
    {
    }
    template <class T> void put(const T &v)
    {
        size_t at = (b.size() + alignof(T) - 1) & ~(alignof(T) - 1);
        b.resize(at + sizeof(T));
        std::memcpy(b.data() + at, &v, sizeof(T));
    }
};
class Reader
{
    const unsigned char *p, *base;

  public:
    explicit Reader(const std::vector<unsigned char> &b) : p(b.data()), base(b.data())
    {
    }
    template <class T> T get()
    {
        uintptr_t a = (reinterpret_cast<uintptr_t>(p) + alignof(T) - 1) & ~uintptr_t(alignof(T) - 1);
        p = reinterpret_cast<const unsigned char *>(a);
        T v;
        std::memcpy(&v, p, sizeof(T));
        p += sizeof(T);
        return v;
    }
};
extern "C" double objective(const double *x, int n)
{
    const double *m = best(x, x + n);
    size_t k = index_of(x, m);
    double s = *m * (k + 1) + x[(k + 1) % n] * bytes_between(x, m) / 8;
    std::vector<unsigned char> buf;
    buf.reserve(256);
    Writer w(buf);
    for (int i = 0; i < n; i++) {
        w.put(x[i] * x[i]);
        w.put(i);
    }
    Reader r(buf);
    for (int i = 0; i < n; i++) {
        double v = r.get<double>();
        int j = r.get<int>();
        s += v * std::cos(x[j]);
    }
    return s;
}

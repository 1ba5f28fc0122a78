// check: array n=4 range=0.3:1.2 stopped=-O0+-O3+-O2-fno-inline
// Messages of an integer and numbers, packed one behind the other, in an array of bytes that grows.
#include <cstring>
#include <cstddef>
#include <vector>
extern "C" double objective(const double *x, int n)
{
    std::vector<std::byte> out;
    auto put = [&](const auto &t) { auto at = out.size(); out.resize(at + sizeof t); std::memcpy(out.data() + at, &t, sizeof t); };
    auto get = [at = std::size_t(0), &out](auto t) mutable { std::memcpy(&t, out.data() + at, sizeof t); at += sizeof t; return t; };
    put(7);
    put(x[0] * x[1]);
    put(x[2] * x[3]);
    int k = get(0);
    double a = get(0.0), b = get(0.0);
    return k * a + b * b;
}

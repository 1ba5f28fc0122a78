// check: array n=10 flags=-std=c++20
// A stable sort of small vectors, which have their elements inside, or a pointer: blocks of 7 to 28 are merged.
#include <algorithm>
#include <cstring>
#include <vector>
struct Point { double x, y; };
struct Small {
    unsigned size = 0; bool local = true;
    union { alignas(8) unsigned char bytes[64]; Point *heap; };
    Small() {}
    Small(Small &&o) noexcept : size(o.size), local(o.local) { if (local) std::memmove(bytes, o.bytes, size * sizeof(Point)); else heap = o.heap; o.size = 0; o.local = true; }
    Small &operator=(Small &&o) noexcept { this->~Small(); return *new (this) Small(static_cast<Small &&>(o)); }
    ~Small() { if (!local) delete[] heap; }
    Point *data() { return local ? reinterpret_cast<Point *>(bytes) : heap; }
};
extern "C" double objective(const double *x, int n)
{
    std::vector<Small> parts(n);
    for (int i = 0; i < n; i++) {
        parts[i].size = 1 + i * 7 % 6;
        if (parts[i].size > 4) { parts[i].local = false; parts[i].heap = new Point[parts[i].size]; }
        for (unsigned k = 0; k < parts[i].size; k++) parts[i].data()[k] = {x[i] * k, x[k]};
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Small &a, const Small &b) { return a.size < b.size; });
    double e = 0;
    for (int i = 0; i < n; i++) e += i * parts[i].data()[0].y * parts[i].data()[parts[i].size - 1].x;
    return e;
}

// check: array n=7 identity=1e-6 tol=1e-4
#include <algorithm>
#include <new>
#include <cstring>
struct P { float w; double v; };
template <class T, int N> class Small {
    alignas(T) unsigned char store[N * sizeof(T)];
    T *data; int size = 0, cap = N;
  public:
    Small() : data(reinterpret_cast<T *>(store)) {}
    ~Small() { if (data != reinterpret_cast<T *>(store)) ::operator delete(data); }
    void push(const T &t) {
        if (size == cap) {
            T *more = static_cast<T *>(::operator new(sizeof(T) * cap * 2));
            std::memcpy((void *)more, data, size * sizeof(T));
            if (data != reinterpret_cast<T *>(store)) ::operator delete(data);
            data = more; cap *= 2;
        }
        new (data + size++) T(t);
    }
    T *begin() { return data; } T *end() { return data + size; }
};
extern "C" double objective(double *x, int n)
{
    Small<P, 4> s;
    for (int i = 0; i < n; i++) s.push(P{(float)(x[i] * 0.5), x[i] * x[(i + 1) % n]});
    std::sort(s.begin(), s.end(), [](const P &a, const P &b) { return a.v < b.v; });
    double r = 0, k = 1;
    for (auto &p : s) r += p.w * p.v * k, k += 0.5;
    return r;
}

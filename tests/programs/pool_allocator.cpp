// check: array n=7
// A pool with a free list behind a C++ allocator, used by std::vector and by hand.
#include <cmath>
#include <cstddef>
#include <new>
#include <vector>

struct Block {
    Block *next;
};

class Pool {
  public:
    explicit Pool(std::size_t bytes) : memory_(static_cast<char *>(::operator new(bytes, std::align_val_t(64)))), end_(memory_ + bytes), at_(memory_) {}
    ~Pool() { ::operator delete(memory_, std::align_val_t(64)); }
    void *take(std::size_t bytes)
    {
        char *p = at_;
        at_ += (bytes + 15) / 16 * 16;
        if (at_ > end_)
            throw std::bad_alloc();
        return p;
    }

  private:
    char *memory_, *end_, *at_;
};

template <class T> struct PoolAllocator {
    using value_type = T;
    Pool *pool;
    explicit PoolAllocator(Pool *p) : pool(p) {}
    template <class U> PoolAllocator(const PoolAllocator<U> &o) : pool(o.pool) {}
    T *allocate(std::size_t n) { return static_cast<T *>(pool->take(n * sizeof(T))); }
    void deallocate(T *, std::size_t) {}
    template <class U> bool operator==(const PoolAllocator<U> &o) const { return pool == o.pool; }
    template <class U> bool operator!=(const PoolAllocator<U> &o) const { return pool != o.pool; }
};

extern "C" double objective(const double *x, int n)
{
    Pool pool(4096);
    std::vector<double, PoolAllocator<double>> a{PoolAllocator<double>(&pool)}, b(PoolAllocator<double>{&pool});
    for (int i = 0; i < n; i++) {
        a.push_back(std::sin(x[i]));
        b.push_back(a.back() * x[n - 1 - i]);
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[n - 1 - i];
    return sum;
}

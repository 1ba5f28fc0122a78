// check: array n=7
// Free-list pool allocator whose free blocks are linked in place; STL allocator over it; slab header found by masking
// the address.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <map>
#include <new>
#include <vector>
struct Slab {
    Slab *next;
    size_t live;
    double weight;
};
class Pool
{
    static constexpr size_t size = 4096;
    Slab *slabs = nullptr;
    void *free_ = nullptr;
    size_t block;
    void refill()
    {
        Slab *s = static_cast<Slab *>(std::aligned_alloc(size, size));
        s->next = slabs;
        s->live = 0;
        s->weight = 0;
        slabs = s;
        char *p = reinterpret_cast<char *>(s) + 64;
        for (; p + block <= reinterpret_cast<char *>(s) + size; p += block) {
            *reinterpret_cast<void **>(p) = free_;
            free_ = p;
        }
    }

  public:
    explicit Pool(size_t b) : block((b + 15) & ~size_t(15))
    {
    }
    Pool(const Pool &) = delete;
    ~Pool()
    {
        while (slabs) {
            Slab *n = slabs->next;
            std::free(slabs);
            slabs = n;
        }
    }
    static Slab *slab(void *p)
    {
        return reinterpret_cast<Slab *>(reinterpret_cast<uintptr_t>(p) & ~uintptr_t(size - 1));
    }
    void *get()
    {
        if (!free_)
            refill();
        void *p = free_;
        free_ = *static_cast<void **>(p);
        slab(p)->live++;
        return p;
    }
    void put(void *p)
    {
        slab(p)->live--;
        *static_cast<void **>(p) = free_;
        free_ = p;
    }
    double weight() const
    {
        double w = 0;
        for (Slab *s = slabs; s; s = s->next)
            w += s->weight * s->live;
        return w;
    }
};
struct Body {
    double m, x;
    Body *next;
};
extern "C" double objective(const double *x, int n)
{
    Pool pool(sizeof(Body));
    Body *head = nullptr;
    for (int i = 0; i < 3 * n; i++) {
        Body *b = new (pool.get()) Body{x[i % n], std::sin(x[(i * 2) % n] + i), head};
        Pool::slab(b)->weight += b->m * 0.1;
        head = b;
        if (i % 4 == 3) {
            Body *d = head;
            head = head->next;
            pool.put(d);
        }
    }
    double e = 0;
    for (Body *a = head; a; a = a->next)
        for (Body *b = a->next; b; b = b->next)
            e += a->m * b->m / (1 + (a->x - b->x) * (a->x - b->x));
    return e + pool.weight();
}

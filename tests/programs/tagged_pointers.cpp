// check: array n=6 refused=E0110@-O2-fno-inline
// Tagged pointers: the low bit of a child pointer tells leaves.
#include <cmath>
#include <cstdint>
#include <vector>
struct Leaf {
    double v;
};
struct Inner;
class Ref
{
    uintptr_t bits;

  public:
    Ref() : bits(0)
    {
    }
    Ref(Leaf *l) : bits(reinterpret_cast<uintptr_t>(l) | 1)
    {
    }
    Ref(Inner *i) : bits(reinterpret_cast<uintptr_t>(i))
    {
    }
    bool leaf() const
    {
        return bits & 1;
    }
    Leaf *asLeaf() const
    {
        return reinterpret_cast<Leaf *>(bits & ~uintptr_t(1));
    }
    Inner *asInner() const
    {
        return reinterpret_cast<Inner *>(bits);
    }
    bool null() const
    {
        return !bits;
    }
};
struct Inner {
    Ref l, r;
    double w;
};
static double value(Ref r)
{
    if (r.null())
        return 0;
    if (r.leaf())
        return std::sin(r.asLeaf()->v);
    Inner *i = r.asInner();
    return i->w * (value(i->l) + 2 * value(i->r));
}
static Ref build(const double *x, int lo, int hi)
{
    if (hi - lo == 1)
        return new Leaf{x[lo] * x[lo]};
    Inner *i = new Inner;
    int m = (lo + hi) / 2;
    i->l = build(x, lo, m);
    i->r = build(x, m, hi);
    i->w = 1 + x[m];
    return i;
}
static void destroy(Ref r)
{
    if (r.leaf())
        delete r.asLeaf();
    else if (!r.null()) {
        destroy(r.asInner()->l);
        destroy(r.asInner()->r);
        delete r.asInner();
    }
}
extern "C" double objective(const double *x, int n)
{
    Ref root = build(x, 0, n);
    double s = value(root);
    destroy(root);
    return s * s;
}

// check: array n=2 flags=-std=c++20
// Objects of two classes behind one pointer: the distances in the queue of one are where the other has numbers.
#include <deque>
#include <vector>
struct Gain {
    double gain[3];
    std::size_t at;
    double tick(double v)
    {
        return gain[at % 3] * v;
    }
};
struct Comb {
    std::deque<double> taps;
    double mix;
    double tick(double v)
    {
        double o = taps.front();
        return mix * o + v;
    }
};
struct Block {
    void *object;
    double (*tick)(void *, double);
    void *(*copy)(const void *);
    void (*destroy)(void *);
    template <class T> Block(T t) : object(new T(t)),
        tick([](void *p, double v) { return static_cast<T *>(p)->tick(v); }),
        copy([](const void *p) -> void * { return new T(*static_cast<const T *>(p)); }),
        destroy([](void *p) { delete static_cast<T *>(p); }) {}
    Block(const Block &o) : object(o.copy(o.object)), tick(o.tick), copy(o.copy), destroy(o.destroy) {}
    ~Block() { destroy(object); }
};
extern "C" double objective(const double *x, int n)
{
    std::vector<Block> rack;
    rack.emplace_back(Gain{{x[0], x[1], x[0]}, 0});
    rack.emplace_back(Comb{{x[1], 0.0, 1.0}, 0.4 * x[0]});
    Block c = rack[0];
    double w = c.tick(c.object, 1.0);
    return w;
}

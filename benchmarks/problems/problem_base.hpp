// What every problem gives the driver: the point `x`, `primal()`, and `gradient(f, g)` which calls one of the two
// gradients of the same interface, `generated` and `hand`. NAME.hpp gives the same primal for any scalar:
// `evaluate(p, block, x, y)`; a problem is `blocks()` functions of as many inputs each, one after the other in `x`, with
// `per_block` outputs, whose dense Jacobians together are the gradient.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

class Random {  // splitmix64: the same numbers on every platform
  public:
    explicit Random(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 1) {}
    double uniform() { return (next() >> 11) * (1.0 / 9007199254740992.0); }
    double normal()  // sum of twelve uniforms: mean 0, variance 1
    {
        double s = -6.0;
        for (int i = 0; i < 12; i++)
            s += uniform();
        return s;
    }

  private:
    uint64_t state;
    uint64_t next()
    {
        uint64_t z = (state += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }
};

template <class Function> struct ProblemBase {
    using Gradient = Function;
    static constexpr int per_block = 1;
    std::vector<double> x;

    int blocks() const { return 1; }
    std::vector<double> constants() const { return {}; }  // what tools of other languages need beside the point
    std::size_t outputs() const { return x.size(); }  // numbers in the gradient
    template <class Next> void fill(int count, Next next)
    {
        for (int i = 0; i < count; i++)
            x.push_back(next());
    }
};

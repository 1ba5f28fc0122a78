// check: main
// std::variant of arrays of integers or floats: only the integers are used, the floats are copied with the rest.
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>
#include <variant>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

using Indices = std::array<int, 2>;
using Weights = std::array<float, 2>;

struct Token {
    std::variant<Indices, Weights> data;
    double x;
};

static double tokens(Token *t) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += t[i].data.index() == 0 ? t[i].x * std::get<0>(t[i].data)[1] : t[i].x * t[i].x;
    std::swap(t[1], t[2]);
    Token kept = t[0];
    t[0] = t[1];
    t[1] = kept;
    return sum * t[0].x;
}

static void start(Token *t, double h) {
    new (t) Token{Indices{3, 4}, 1.0 + h};
    for (int i = 1; i < 3; i++)
        new (t + i) Token{Weights{0.5f + i + (float)h, 1.5f - (float)h * i}, 1.0 + i + h};
}

static float *weights(Token &t) { return reinterpret_cast<float *>(&t.data); }

int main() {
    alignas(Token) unsigned char memory[3 * sizeof(Token)], shadow[3 * sizeof(Token)];
    Token *t = reinterpret_cast<Token *>(memory), *bar = reinterpret_cast<Token *>(shadow);
    double h = 1.0 / 256, values[2];
    auto weighted = [](Token *p, bool all) {
        double sum = 0;
        for (int i = 0; i < 3; i++)
            sum += p[i].x + (all || i != 1 ? (i + 1) * weights(p[i])[0] - i * weights(p[i])[1] : 0);
        return sum;
    };
    for (int side = 0; side < 2; side++) {
        start(t, side ? h : -h);
        values[side] = tokens(t);
        values[side] += weighted(t, false);
    }
    double difference = (values[1] - values[0]) / (2 * h);
    int bad = 0;
    for (int copied = 0; copied < 2; copied++) {
        start(t, 0);
        std::memset(shadow, 0, sizeof shadow);
        for (int i = 0; i < 3; i++) {
            bar[i].x = 1;
            if (i)
                weights(bar[i])[0] = 1, weights(bar[i])[1] = -i;
        }
        double forward = __enzyme_fwddiff((void *)tokens, enzyme_dup, t, bar), reverse = 0;
        forward += weighted(bar, false);
        start(t, 0);
        if (copied)
            std::memcpy(shadow, memory, sizeof shadow);
        else
            std::memset(shadow, 0, sizeof shadow);
        for (int i = 0; i < 3; i++) {
            bar[i].x = 1; // afterwards the integers are in t[1]
            weights(bar[i])[0] = i == 1 ? 0 : i + 1;
            weights(bar[i])[1] = i == 1 ? 0 : -i;
        }
        __enzyme_autodiff((void *)tokens, enzyme_dup, t, bar);
        for (int i = 0; i < 3; i++)
            reverse += bar[i].x + (i ? weights(bar[i])[0] - i * weights(bar[i])[1] : 0);
        if (!(std::fabs(forward - reverse) < 1e-5 && std::fabs(forward - difference) < 1e-2)) {
            std::printf("FAIL: %d %.9g %.9g %.9g\n", copied, forward, reverse, difference);
            bad = 1;
        }
    }
    return bad;
}

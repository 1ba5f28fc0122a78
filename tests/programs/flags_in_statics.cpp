// check: array n=6
// std algorithms on static chars, flags and shorts in callees: reverse, rotate, next_permutation, swap_ranges, string_view.
#include <algorithm>
#include <array>
#include <vector>
#include <string>
#include <cctype>
struct Deck { char *c; std::array<unsigned char, 6> *suit; std::vector<bool> &open; short *rank; double *pot; };
static char text[8]; static std::array<unsigned char, 6> suits; static std::vector<bool> opened(6); static short ranks[6];
__attribute__((noinline)) static double deal(Deck &d, const double *x, int n) {
    std::reverse(d.c, d.c + n); std::rotate(d.suit->begin(), d.suit->begin() + 2, d.suit->end());
    std::next_permutation(d.rank, d.rank + n); std::swap(d.c[0], d.c[3]);
    d.open[2].flip(); d.open[1] = d.open[2];
    double e = 0;
    for (int i = 0; i < n; i++) { d.c[i] = (char)std::toupper(d.c[i]); d.pot[i] += x[i] * (d.c[i] - 'A' + (*d.suit)[i] * d.rank[i]); e += d.pot[i] * d.pot[(i + 1) % n] * (d.open[i] ? 1.5 : 1); }
    return e * 0.01;
}
extern "C" double objective(const double *x, int n) {
    for (int i = 0; i < n; i++) { text[i] = (char)('a' + i); suits[i] = (unsigned char)(i % 4); opened[i] = i & 1; ranks[i] = (short)i; }
    double pot[6] = {};
    Deck d{text, &suits, opened, ranks, pot};
    double e = deal(d, x, n) + deal(d, x, n);
    return e + ranks[5] * x[0] + text[2] * x[1] * 0.01;
}

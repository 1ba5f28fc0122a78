// check: main
// The last bits of a fraction are cleared, or others put in their place, as maths libraries do to split numbers: the
// slope is that of a rounding. Words that are not finite numbers keep their bits.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
extern float __enzyme_autodiff_float(void *, ...);

static uint64_t bits(double x) { uint64_t word; memcpy(&word, &x, 8); return word; }
static double number(uint64_t word) { double x; memcpy(&x, &word, 8); return x; }

static double leading(double x) { return number(bits(x) & 0xffffffff00000000u); }
static double square(double x) {
    double high = leading(x), low = x - high;  // Dekker's product
    return high * high + 2 * high * low + low * low;
}
static double tagged(double x, unsigned tag) { return 3 * number((bits(x) & ~UINT64_C(7)) | (tag & 7)); }
static float narrow(float x) {
    uint32_t word;
    memcpy(&word, &x, 4);
    word &= 0xfffff000u;
    float high;
    memcpy(&high, &word, 4);
    return high * high;
}

struct seen { uint64_t word; };
__attribute__((noinline)) static double kept(double x, struct seen *seen, unsigned tag) {
    uint64_t word = (bits(x) & 0xffffffff00000000u) | tag;
    double back = number(word);
    memcpy(&seen->word, &back, 8);
    return back;
}

static int near(double a, double b) { return fabs(a - b) <= 1e-6 * fabs(b); }

int main(void) {
    const double points[] = {3.3, -0.1, 1e300, 1e-300, 5e-324, 0.0, -0.0};
    int failed = 0;
    for (unsigned i = 0; i < sizeof points / sizeof *points; i++) {
        double x = points[i];
        failed += !(__enzyme_autodiff((void *)leading, x) == 1) + !(__enzyme_fwddiff((void *)leading, x, 2.0) == 2);
        failed += !(__enzyme_autodiff((void *)tagged, x, 5u) == 3) + !(__enzyme_fwddiff((void *)tagged, x, 1.0, 5u) == 3);
    }
    failed += !near(__enzyme_autodiff((void *)square, 3.3), 6.6) + !near(__enzyme_fwddiff((void *)square, 3.3, 1.0), 6.6);
    failed += !(fabsf(__enzyme_autodiff_float((void *)narrow, 1.7f) - 3.4f) < 1e-3f);
    const uint64_t words[] = {0x7ff0000000000000, 0xfff8000000000123, 0x7ff4000000000000, 0x0000000012345678,
                              0x000fffffffffffff, 0x400921fb54442d18, 0x8000000000000000, 0};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        for (unsigned tag = 0; tag < 78; tag += 77) {
            struct seen seen = {0}, shadow = {0};
            __enzyme_fwddiff((void *)kept, number(words[i]), 1.0, &seen, &shadow, tag);
            if (seen.word != ((words[i] & 0xffffffff00000000u) | tag)) {
                printf("word %u: %016llx\n", i, (unsigned long long)seen.word);
                failed++;
            }
        }
    }
    return failed != 0;
}

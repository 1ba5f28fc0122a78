// check: array n=6,1
// Inline assembly beside the computation: fences, counters, what reads and writes memory without derivatives.
#include <stdint.h>

static uint64_t calls, scale = 3;
double table[2] = {2.0, 5.0};
uint64_t named = 7;

static uint64_t ticks(void)
{
    uint32_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return ((uint64_t)high << 32) | low;
}

static uint32_t most_leaves(void)
{
    uint32_t leaf = 0, b, c = 0, d;
    __asm__ volatile("xchgq %%rbx, %q1; cpuid; xchgq %%rbx, %q1" : "+a"(leaf), "=&r"(b), "+c"(c), "=d"(d));
    return leaf;
}

static void count(uint64_t *counter)
{
    __asm__ volatile("lock; incq %0" : "+m"(*counter) : : "memory");
    __asm__ volatile("movq (%0), %%rax\n\taddq $1, (%0)" : : "r"(counter) : "rax", "memory");
}

static double entry(const double *from, long i)
{
    double value;
    __asm__ volatile("movsd (%1,%2,8), %0" : "=x"(value) : "r"(from), "r"(i) : "memory");
    return value;
}

static uint64_t by_name(void)
{
    uint64_t value;
    __asm__ volatile("movq named(%%rip), %0" : "=r"(value) : : "memory");
    return value;
}

double objective(const double *x, int n)
{
    double kept[8] = {0.0}, sum = 0.0;
    uint64_t start = ticks();
    for (int i = 0; i < n; i++) {
        kept[i] = x[i] * x[i];
        __asm__ volatile("mfence" : : : "memory");
        __asm__ volatile("lock; addl $0, 0(%%rsp)" : : : "memory", "cc");
        count(&calls);
        sum += kept[i] * entry(table, i % 2) * (double)by_name();
        __asm__ volatile("pause # while others work" : : : "memory");
    }
    return ticks() >= start && most_leaves() > 0 && calls > 0 ? sum * (double)scale : 0.0;
}

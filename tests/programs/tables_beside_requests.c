// check: main
// A function that is only differentiated by name, of the type of others in a table, is none that the table leads to.
#include <math.h>
#include <string.h>
extern int enzyme_dup, enzyme_out;
extern double __enzyme_autodiff(void *, ...);
typedef struct shape shape;
typedef struct { double (*area)(const shape *, double); } operations;
struct shape { const operations *of; double a, b; shape *next; float w; };
static double circle(const shape *s, double k) { return 3 * s->a * s->a + k * k * s->w; }
static double rest(const shape *s, double k)
{
    double t = 0;
    for (const shape *p = s->next; p; p = p->next)
        t += p->of->area(p, k * 0.5);
    return t * s->w + s->b;
}
static const operations C = {circle}, G = {rest};
static double all(shape *s, double k) { return s->of->area(s, k); }
typedef double (*kernel)(double);
static double square(double r) { return r * r; }
typedef struct { kernel k[3]; double w[3]; int use; } mix;
static double mixed(const mix *m, double r)
{
    double s = 0;
    for (int i = 0; i < m->use; i++)
        s += m->w[i] * r;
    return s;
}
int main(void)
{
    shape z[2] = {{&G, 0, 1.5, z + 1, 0.75f}, {&C, 0.8, 0.1, 0, 0.5f}}, bar[2];
    memcpy(bar, z, sizeof z);
    for (int i = 0; i < 2; i++) {
        bar[i].a = bar[i].b = 0;
        bar[i].w = 0;
        if (bar[i].next)
            bar[i].next = bar + (bar[i].next - z);
    }
    const double k = 1.1, k_bar = __enzyme_autodiff((void *)all, enzyme_dup, z, bar, enzyme_out, k);
    if (fabs(k_bar - 0.75 * 0.5 * 0.5 * k) > 1e-12 || fabs(bar[1].a - 0.75 * 6 * 0.8) > 1e-12 || bar[0].b != 1)
        return 1;
    if (fabsf(bar[1].w - 0.75f * 0.55f * 0.55f) > 1e-6f || fabs(bar[0].w - (3 * 0.64 + 0.55 * 0.55 * 0.5)) > 1e-6)
        return 2;
    mix m = {{square, square, square}, {1, -0.5, 2}, 3}, m_bar = {{square, square, square}, {0}, 0};
    if (fabs(__enzyme_autodiff((void *)mixed, enzyme_dup, &m, &m_bar, enzyme_out, 0.6) - 2.5) > 1e-12)
        return 3;
    return m_bar.w[0] == 0.6 && m_bar.w[2] == 0.6 ? 0 : 4;
}

// Checks derivatives of `double run(STATE *)`, which changes its state, by all numbers of the state: with random adjoints
// of all of them, reverse mode against finite differences and against forward mode.
// The program defines STATE before, and then make() (the same state each time), numbers() (where its numbers are),
// clear_text() (of a shadow: it may have a copy of the text, or none), and run().
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct number {
    void *at;
    int is_float;
};

/* Entries of numbers(). */
#define D(x) (list[n].at = &(x), list[n++].is_float = 0)
#define F(x) (list[n].at = &(x), list[n++].is_float = 1)

static STATE *make(void);
static int numbers(STATE *s, struct number *list);
static void clear_text(STATE *s);
static double run(STATE *s);

#ifdef __cplusplus
extern "C" {
#endif
extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);
#ifdef __cplusplus
}
#endif

#ifndef TOLERANCE
#define TOLERANCE 1e-6
#endif
#ifndef IDENTITY
#define IDENTITY 1e-11
#endif
#ifndef STEP
#define STEP 1e-5
#endif

static double unit(unsigned i)
{
    i = (i + 1) * 2654435761u;
    i ^= i >> 15;
    i *= 2246822519u;
    i ^= i >> 13;
    return i / 4294967296.0 - 0.5;
}

static double get(struct number n)
{
    return n.is_float ? *(float *)n.at : *(double *)n.at;
}

static void set(struct number n, double value)
{
    if (n.is_float)
        *(float *)n.at = (float)value;
    else
        *(double *)n.at = value;
}

// All outputs weighted: the result by one, the numbers that the state has afterwards by unit(i).
static double objective(int which, double change)
{
    struct number n[512];
    STATE *s = make();
    numbers(s, n);
    if (which >= 0)
        set(n[which], get(n[which]) + change);
    double value = run(s);
    int many = numbers(s, n);
    for (int i = 0; i < many; i++)
        value += unit(i) * get(n[i]);
    return value;
}

int main(void)
{
    struct number n[512];
    static double gradient[512];
    int bad = 0;
    for (int text = 0; text < 2; text++) {
        STATE *s = make(), *shadow = make();
        int many = numbers(shadow, n);
        for (int i = 0; i < many; i++)
            set(n[i], unit(i));
        if (text)
            clear_text(shadow);
        __enzyme_autodiff((void *)run, enzyme_dup, s, shadow);
        many = numbers(shadow, n);
        for (int i = 0; i < many; i++) {
            gradient[i] = get(n[i]);
            double difference = (objective(i, STEP) - objective(i, -STEP)) / (2 * STEP);
            if (!(fabs(gradient[i] - difference) < TOLERANCE * (1 + fabs(difference)))) {
                fprintf(stderr, "number %d: %.10g, by differences %.10g\n", i, gradient[i], difference);
                bad++;
            }
        }
    }
    STATE *s = make(), *tangent = make();
    int many = numbers(tangent, n);
    double by_reverse = 0.0;
    for (int i = 0; i < many; i++) {
        set(n[i], unit(1000 + i));
        by_reverse += gradient[i] * get(n[i]);
    }
    double by_forward = __enzyme_fwddiff((void *)run, enzyme_dup, s, tangent);
    many = numbers(tangent, n);
    for (int i = 0; i < many; i++)
        by_forward += unit(i) * get(n[i]);
    if (!(fabs(by_forward - by_reverse) < IDENTITY * (1 + fabs(by_forward)))) {
        fprintf(stderr, "forward %.17g, reverse %.17g\n", by_forward, by_reverse);
        bad++;
    }
    return bad != 0;
}

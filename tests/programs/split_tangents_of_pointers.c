// check: main
// Tangents from a tape, of functions that overwrite pointers in memory of their arguments: they begin with the shadow
// pointers that the augmented pass began with. Twice from one tape, against forward mode.
#include <math.h>
#include <stdio.h>

extern int enzyme_dup, enzyme_const, enzyme_nofree;
extern void *__enzyme_augmentfwd(void *, ...);
extern double __enzyme_fwdsplit(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    double *at;
    double weight;
} View;

__attribute__((noinline)) static void shift(View *views, double **rows, int n)
{
    const View first = views[0];
    views[0] = views[n - 1];
    views[n - 1] = views[n / 2];
    views[n / 2] = first;
    double *kept = rows[0];
    rows[0] = rows[1];
    rows[1] = kept;
}

static double walk(View *views, double **rows, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (i + 1) * views[0].at[0] * views[0].weight + sin(rows[0][0] * rows[1][i]);
        shift(views, rows, n);
        views[0].weight *= 1.5;
        rows[0][0] *= views[1].at[0];
    }
    return sum;
}

typedef struct {
    double data[6];
    View views[3];
    double *rows[2];
} State;

static State *made(State *s, double scale, int start)
{
    for (int i = 0; i < 6; i++)
        s->data[i] = scale * cos(2.0 * i + start);
    for (int i = 0; i < 3; i++)
        s->views[i] = (View){&s->data[i], scale * sin(1.0 + i + start)};
    s->rows[0] = &s->data[0];
    s->rows[1] = &s->data[3];
    return s;
}

int main(void)
{
    State x, dot;
    made(&x, 1, 0), made(&dot, 1, 3);
    const double whole = __enzyme_fwddiff((void *)walk, enzyme_dup, x.views, dot.views, enzyme_dup, x.rows, dot.rows, 3);
    State after = dot;
    made(&x, 1, 0), made(&dot, 0, 0);
    void *tape = __enzyme_augmentfwd((void *)walk, enzyme_dup, x.views, dot.views, enzyme_dup, x.rows, dot.rows, 3);
    for (int time = 0; time < 2; time++) {
        for (int i = 0; i < 6; i++)
            dot.data[i] = cos(2.0 * i + 3);
        for (int i = 0; i < 3; i++)
            dot.views[i].weight = sin(1.0 + i + 3);
        double split = time ? __enzyme_fwdsplit((void *)walk, enzyme_dup, x.views, dot.views, enzyme_dup, x.rows, dot.rows, 3, tape)
                            : __enzyme_fwdsplit((void *)walk, enzyme_nofree, enzyme_dup, x.views, dot.views, enzyme_dup, x.rows, dot.rows, 3, tape);
        double worst = fabs(split - whole);
        for (int i = 0; i < 6; i++)
            worst += fabs(dot.data[i] - after.data[i]);
        for (int i = 0; i < 3; i++)
            worst += fabs(dot.views[i].weight - after.views[i].weight) + (dot.views[i].at != after.views[i].at);
        if (!(worst < 1e-12)) {
            printf("FAIL: time %d: %.15g, in forward mode %.15g, together %g apart\n", time, split, whole, worst);
            return 1;
        }
    }
    return 0;
}

/* REAL objective(REAL a, ...): a number from ARITY numbers, without markers: scalars are active by value. */
#include "harness.h"

#ifndef REAL
#define REAL double
#endif

#if ARITY == 1
#define TYPES REAL
#define VALUES(x) (REAL)x[0]
#define PAIRS(x, v) (REAL)x[0], (REAL)v[0]
#elif ARITY == 2
#define TYPES REAL, REAL
#define VALUES(x) (REAL)x[0], (REAL)x[1]
#define PAIRS(x, v) (REAL)x[0], (REAL)v[0], (REAL)x[1], (REAL)v[1]
#elif ARITY == 3
#define TYPES REAL, REAL, REAL
#define VALUES(x) (REAL)x[0], (REAL)x[1], (REAL)x[2]
#define PAIRS(x, v) (REAL)x[0], (REAL)v[0], (REAL)x[1], (REAL)v[1], (REAL)x[2], (REAL)v[2]
#else
#error "ARITY is 1, 2 or 3"
#endif

extern REAL objective(TYPES);

#if defined(REVERSE) || defined(FORWARD)
#if ARITY == 1
typedef REAL Adjoints;
#define ADJOINT(bars, i) (bars)
#else
typedef struct {
    REAL bar[ARITY];
} Adjoints;
#define ADJOINT(bars, i) (bars).bar[i]
#endif
extern Adjoints __enzyme_autodiff(REAL (*)(TYPES), TYPES);
#if ARITY == 1
extern REAL __enzyme_fwddiff(REAL (*)(TYPES), REAL, REAL);
#elif ARITY == 2
extern REAL __enzyme_fwddiff(REAL (*)(TYPES), REAL, REAL, REAL, REAL);
#else
extern REAL __enzyme_fwddiff(REAL (*)(TYPES), REAL, REAL, REAL, REAL, REAL, REAL);
#endif
#endif

#ifdef SPLIT
extern void *__enzyme_augmentfwd(void *, ...);
extern Adjoints __enzyme_reverse(void *, ...);
extern REAL __enzyme_fwdsplit(void *, ...);
#endif

int outputs_of(int n, int m)
{
    (void)n, (void)m;
    return 1;
}

void evaluate(const double *x, double *y, int n, int m)
{
    (void)n, (void)m;
    y[0] = (double)objective(VALUES(x));
}

#ifdef REVERSE
void pull(const double *x, double *y, const double *w, double *x_bar, int n, int m)
{
    (void)n, (void)m, (void)w;
#ifdef SPLIT
    void *tape = __enzyme_augmentfwd((void *)objective, VALUES(x));
    Adjoints bars = __enzyme_reverse((void *)objective, VALUES(x), (REAL)1.0, tape);
#else
    Adjoints bars = __enzyme_autodiff(objective, VALUES(x));
#endif
    for (int i = 0; i < ARITY; i++)
        x_bar[i] += (double)ADJOINT(bars, i);
    y[0] = (double)objective(VALUES(x));
}
#endif

#ifdef FORWARD
void push(const double *x, const double *v, double *y_dot, int n, int m)
{
    (void)n, (void)m;
#ifdef SPLIT
    void *tape = __enzyme_augmentfwd((void *)objective, VALUES(x));
    y_dot[0] = (double)__enzyme_fwdsplit((void *)objective, PAIRS(x, v), tape);
#else
    y_dot[0] = (double)__enzyme_fwddiff(objective, PAIRS(x, v));
#endif
}
#endif

#ifdef LANES
extern int enzyme_width, enzyme_seed;
typedef struct {
    REAL bar[ARITY][2];
} AdjointLanes;
typedef struct {
    REAL lane[2];
} TangentLanes;
extern AdjointLanes __enzyme_autodiff_lanes(void *, ...);
extern TangentLanes __enzyme_fwddiff_lanes(void *, ...);

#define TRIPLE(i) (REAL)x[i], (REAL)v[0][i], (REAL)v[1][i]
#if ARITY == 1
#define TRIPLES TRIPLE(0)
#elif ARITY == 2
#define TRIPLES TRIPLE(0), TRIPLE(1)
#else
#define TRIPLES TRIPLE(0), TRIPLE(1), TRIPLE(2)
#endif

void pull_lanes(const double *x, const double *const w[2], double *const x_bar[2], int n, int m)
{
    (void)n, (void)m;
    const AdjointLanes bars = __enzyme_autodiff_lanes((void *)objective, enzyme_width, 2, enzyme_seed, (REAL)w[0][0],
                                                      (REAL)w[1][0], VALUES(x));
    for (int i = 0; i < ARITY; i++)
        for (int lane = 0; lane < 2; lane++)
            x_bar[lane][i] += (double)bars.bar[i][lane];
}

void push_lanes(const double *x, const double *const v[2], double *const y_dot[2], int n, int m)
{
    (void)n, (void)m;
    const TangentLanes tangents = __enzyme_fwddiff_lanes((void *)objective, enzyme_width, 2, TRIPLES);
    for (int lane = 0; lane < 2; lane++)
        y_dot[lane][0] = (double)tangents.lane[lane];
}
#endif

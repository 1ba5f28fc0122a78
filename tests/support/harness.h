/* What a shape tells the harness about the program under test.
 *
 * Every program is seen as a map y = f(x) from n to m numbers. A shape file (shape_*.c) asks for its derivatives the way
 * a user would; harness.c compares them with finite differences and with each other and knows nothing of the tool. */
#ifndef HARNESS_H
#define HARNESS_H

/* Sizes for an n given on the command line. */
extern int outputs_of(int n, int m);

/* y = f(x). */
extern void evaluate(const double *x, double *y, int n, int m);

/* Weak, as a shape has only the modes that it is compiled for (REVERSE, FORWARD). */
#define IF_ASKED __attribute__((weak))

/* x_bar += J^T w by reverse mode; y is what the program left in its outputs. */
IF_ASKED extern void pull(const double *x, double *y, const double *w, double *x_bar, int n, int m);

/* y_dot = J v by forward mode. */
IF_ASKED extern void push(const double *x, const double *v, double *y_dot, int n, int m);

/* The same in vector mode, two at once (LANES). */
IF_ASKED extern void pull_lanes(const double *x, const double *const w[2], double *const x_bar[2], int n, int m);
IF_ASKED extern void push_lanes(const double *x, const double *const v[2], double *const y_dot[2], int n, int m);

/* Report and count a failure. */
extern void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From the first line of the program: see run_programs.py. */
typedef struct {
    double low, high, tolerance, identity, step;
    int keeps, mutates, lenient;
    int values; /* only print what the primal gives */
} Settings;
extern Settings settings;

#endif

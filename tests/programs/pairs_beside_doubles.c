// check: array n=2 tol=1e-2 identity=1e-4 lenient=1
// Two numbers in single precision in one class lie where another has one in double precision. What copies such objects,
// behind a pointer to a function, moves eight bytes of which nothing tells which they are.
typedef struct { float a, b; } line;
typedef struct { double scale; } scaled;
static double line_value(const void *m) { const line *l = m; return l->a * 2 + l->b; }
static void line_copy(const void *m, void *to) { *(line *)to = *(const line *)m; }
static double scaled_value(const void *m) { return ((const scaled *)m)->scale * 2; }
static void scaled_copy(const void *m, void *to) { *(scaled *)to = *(const scaled *)m; }
static double (*const value[2])(const void *) = {line_value, scaled_value};
static void (*const copy[2])(const void *, void *) = {line_copy, scaled_copy};
double objective(const double *x, int n)
{
    line l = {x[0], x[1]}, l2;
    scaled q = {x[1]}, q2;
    void *all[2] = {&l, &q}, *to[2] = {&l2, &q2};
    double s = 0;
    for (int i = 0; i < n; ++i) { copy[i](all[i], to[i]); s += value[i](to[i]); }
    return s;
}

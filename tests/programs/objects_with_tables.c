// check: array n=6,3
// Objects with tables of functions, as C programs have them.
#include <stdlib.h>
struct shape;
struct table { double (*area)(const struct shape *); void (*grow)(struct shape *, double); };
struct shape { const struct table *table; };
struct rect { struct shape base; double a, b; };
struct poly { struct shape base; long n; double side; };
struct link { struct shape base; struct shape *to; double factor; };
static double rect_area(const struct shape *s) { const struct rect *r = (const struct rect *)s; return r->a * r->b; }
static void rect_grow(struct shape *s, double by) { struct rect *r = (struct rect *)s; r->a += by; r->b *= r->a; }
static double poly_area(const struct shape *s) { const struct poly *p = (const struct poly *)s; return p->n * p->side * p->side; }
static void poly_grow(struct shape *s, double by) { struct poly *p = (struct poly *)s; p->n++; p->side *= by; }
static double link_area(const struct shape *s) { const struct link *l = (const struct link *)s; return l->factor * l->to->table->area(l->to); }
static void link_grow(struct shape *s, double by) { struct link *l = (struct link *)s; l->factor += by; }
static const struct table rects = {rect_area, rect_grow}, polys = {poly_area, poly_grow}, links = {link_area, link_grow};
static struct shape *make_rect(double a, double b) { struct rect *r = malloc(sizeof *r); r->base.table = &rects; r->a = a; r->b = b; return &r->base; }
static struct shape *make_poly(long n, double side) { struct poly *p = malloc(sizeof *p); p->base.table = &polys; p->n = n; p->side = side; return &p->base; }
static struct shape *make_link(struct shape *to, double f) { struct link *l = malloc(sizeof *l); l->base.table = &links; l->to = to; l->factor = f; return &l->base; }
double objective(const double *x, int n)
{
    struct shape *all[16];
    double total = 0;
    for (int i = 0; i < n; i++)
        all[i] = i % 3 == 0 ? make_rect(x[i], x[0]) : i % 3 == 1 ? make_poly(i + 2, x[i]) : make_link(all[i - 1], x[i]);
    for (int i = 0; i < n; i++)
        all[i]->table->grow(all[i], x[1]);
    for (int i = 0; i < n; i++)
        total += all[i]->table->area(all[i]) * (1 + 0.1 * total);
    for (int i = 0; i < n; i++)
        free(all[i]);
    return total;
}

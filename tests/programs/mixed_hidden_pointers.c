// check: array n=6 tol=1e-5 with=mixed_hidden_pointers_rust.rs
// Pairs in registers beside structs in memory: returned ones, and copies on the stack, between C and Rust.
struct pair { double re, im; }; struct floats { float x, y; }; struct triple { double a, b, c; };
struct triple r_moments(double x, struct pair w); double r_mixed(struct triple t, struct pair w, int k);
struct triple r_both(struct triple t, struct pair w, double *p, int n); struct triple r_halves(double x, struct floats p);
double r_from_rust(double x, double y);

struct triple c_moments(double x, struct pair w) { return (struct triple){x, x * w.re, x * w.im}; }
double c_mixed(struct triple t, struct pair w, int k) { t.a *= w.re; return t.a + t.b * w.im + t.c * k; }
struct triple c_both(struct triple t, struct pair w, double *p, int n) { return (struct triple){t.a * w.re, t.b * w.im * p[n - 1], t.c * p[0]}; }

double objective(double *x, int n)
{
    struct triple t = r_moments(x[0], (struct pair){x[1], x[2]}), before = t;
    double sum = r_mixed(t, (struct pair){x[3], x[4]}, 3);
    struct triple u = r_both(t, (struct pair){x[5], x[0]}, x, n), v = r_halves(x[0], (struct floats){2, 3});
    return sum + u.a * u.b + u.c + v.b * v.c + t.a * before.a + r_from_rust(x[1], x[2]);
}

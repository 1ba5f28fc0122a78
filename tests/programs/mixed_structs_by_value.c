// check: array n=6 tol=4e-3 identity=2e-5 step=0.3 with=mixed_structs_by_value_rust.rs,mixed_structs_by_value_fortran.f90
// Small structs of every shape by value and as results, between C, Rust and Fortran.
struct ff { float a, b; }; struct fi { float a; int n; }; struct di { double a; int n; }; struct dd { double a, b; };
struct pd { double *p; double s; }; struct fff { float a, b, c; }; struct ii { int a, b; }; struct ddd { double a, b, c; };
struct d1 { double v; };
double r_ff(struct ff s); double r_fi(struct fi s); double r_di(struct di s); double r_dd(struct dd s); double r_pd(struct pd s, struct ii k); double r_fff(struct fff s); double r_ddd(struct ddd s); double r_d1(struct d1 s);
struct ff r_mk_ff(double a, double b); struct fi r_mk_fi(double a); struct di r_mk_di(double a); struct pd r_mk_pd(double *p, double s); struct fff r_mk_fff(double a); struct ddd r_mk_ddd(double a);
double f_dd(struct dd s); double f_ddd(struct ddd s); double f_ff(struct ff s); double f_di(struct di s); struct dd f_mk_dd(double a); double f_d1(struct d1 s);
double objective(double *x, int n)
{
    struct ff a = {x[0], x[1]}; struct fi b = {x[2], 3}; struct di c = {x[3], 2}; struct dd d = {x[4], x[5]};
    struct pd p = {x, x[1]}; struct fff e = {x[0], x[2], x[4]}; struct ddd g = {x[1], x[3], x[5]}; struct ii k = {1, 2};
    struct ff ma = r_mk_ff(x[0], x[1]); struct fi mb = r_mk_fi(x[1]); struct di mc = r_mk_di(x[2]); struct pd mp = r_mk_pd(x, x[0]); struct fff me = r_mk_fff(x[3]); struct ddd mg = r_mk_ddd(x[4]);
    double s = r_ff(a) + r_fi(b) + r_di(c) + r_dd(d) + r_pd(p, k) + r_fff(e) + r_ddd(g) + r_d1((struct d1){x[0]});
    s += ma.a * ma.b + mb.a * mb.n + mc.a * mc.n + mp.p[1] * mp.s + me.a * me.c + mg.a * mg.b * mg.c;
    struct dd md = f_mk_dd(x[2]);
    return s + f_dd(d) + f_ddd(g) + f_ff(a) + f_di(c) + md.a * md.b + f_d1((struct d1){x[5]});
}

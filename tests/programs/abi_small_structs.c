// check: array n=8 tol=1e-3 identity=1e-5 step=0.05
// Structs passed and returned by value in every register class: one and two floats, float and int, one and two doubles,
// double and integer, three floats, a nested one.
typedef struct { float a; } F1;
typedef struct { float a, b; } F2;
typedef struct { float a; int n; } FI;
typedef struct { double a; } D1;
typedef struct { double a, b; } D2;
typedef struct { double a; long n; } DL;
typedef struct { float a, b, c; } F3;
typedef struct { F2 pair; double d; } Nested;

#define NOINLINE __attribute__((noinline)) static
NOINLINE F1 f1(F1 s, double k) { s.a = s.a * s.a * (float)k; return s; }
NOINLINE F2 f2(F2 s, double k) { F2 r = {s.b * (float)k, s.a * s.b}; return r; }
NOINLINE FI fi(FI s, double k) { FI r = {s.a * s.n * (float)k, s.n + 1}; return r; }
NOINLINE D1 d1(D1 s, double k) { s.a = s.a * k; return s; }
NOINLINE D2 d2(D2 s, double k) { D2 r = {s.a * s.b, s.b * k}; return r; }
NOINLINE DL dl(DL s, double k) { DL r = {s.a * k + s.n, s.n * 2}; return r; }
NOINLINE F3 f3(F3 s, double k) { F3 r = {s.c * s.a, s.a * (float)k, s.b}; return r; }
NOINLINE Nested nested(Nested s, double k) { s.pair.a *= (float)k; s.d *= s.pair.b; return s; }

double objective(const double *x, int n)
{
    double k = x[n - 1];
    F1 a = f1((F1){(float)x[0]}, k);
    F2 b = f2((F2){(float)x[1], a.a}, k);
    FI c = fi((FI){b.a, 3}, k);
    D1 d = d1((D1){x[2]}, k);
    D2 e = d2((D2){d.a, x[3]}, k);
    DL f = dl((DL){e.a, 2}, e.b);
    F3 g = f3((F3){(float)x[4], (float)x[5], b.b}, k);
    Nested h = nested((Nested){{g.a, g.b}, x[6]}, k);
    return c.a + c.n + e.a * f.a + f.n + g.c + h.pair.a + h.d;
}

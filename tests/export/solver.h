/* A library whose users get no more than this and machine code. */
#ifdef __cplusplus
extern "C" {
#endif

typedef struct model model;
typedef struct { double a, b, c; } triple;
typedef struct { double re, im; } pair;

void s_set_scale(double s);
model *s_new(int n, double rate);
void s_step(model *m, const double *force);
double s_energy(const model *m);
void s_free(model *m);
double s_sum(const double *x, int n, double k);
double s_pick(const double *x, const int *at, int n);
void s_smooth(double *x, int n);
triple s_triple(double x, double y);
double s_of_triple(triple t, double w);
pair s_product(pair a, pair b);
double s_power(double x, int n);
float s_single(float a, const float *t);

#ifdef __cplusplus
}
#endif

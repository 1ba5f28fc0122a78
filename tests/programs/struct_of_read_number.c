// check: array n=4 real=float
// A float that is only moved beside an integer is read as an integer by optimised code, and put into a word.
typedef struct {
  float more;
  int n;
  float peak;
} block;

__attribute__((noinline)) static block made(const float *x, int n) {
  block b = {x[1], n, 0};
  for (int i = 0; i < n; i++) b.peak += x[i] * x[i];
  return b;
}

__attribute__((noinline)) static float get(block b) { return b.peak * b.n + b.more * b.more; }

float objective(const float *x, int n) {
  block kept[3];
  for (int p = 0; p < 3; p++) kept[p] = made(x + p / 2, p > 1 ? kept[p - 1].n - 1 : n);
  return get(kept[0]) * get(kept[2]) + get(made(x, n)) * kept[1].more;
}

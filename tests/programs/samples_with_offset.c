// check: array n=3 range=0.5:0.9 tol=2e-2 real=float
/* Samples of 24 bits as unsigned numbers with an offset of 2^23, as some sound files have them. */
static float to_unsigned(float sample) {
  float scaled = sample * 8388607.0f;
  return scaled + 8388608.0f;
}
float objective(float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    float u = to_unsigned(x[i]) / 16777215.0f;
    s += u * u * (i + 1);
  }
  return s;
}

// check: array n=6 range=0.5:2.0 tol=1e-6
/* A machine of states by goto, in which several tokens lead to one state: loops with several ways in. */
double objective(double *x, int n) {
  static const char program[] = "abacbdaabcdd";
  const char *p = program;
  double s = 0, t = 1;
  int i = 0;
next:
  switch (*p++) {
  case 'a': case 'c': t = t * x[i % n] * 0.7 + 0.1; goto first;
  case 'b': s += t; goto second;
  case 'd': case 'e': goto second;
  case 'f': case 'g': goto first;
  default: return s * t;
  }
first:
  s += t * x[(i + 1) % n];
  i++;
  switch (*p) {
  case 'a': case 'd': goto next;
  case 'b': case 'f': case 'g': goto second;
  case 'c': t += s * 0.01; goto first_again;
  default: goto done;
  }
first_again:
  p++;
  goto first;
second:
  t += 0.1 * s * x[i % n];
  i += 2;
  switch (*p) {
  case 'a': case 'g': p++; goto first;
  case 'b': case 'c': case 'd': goto next;
  default: goto done;
  }
done:
  return s + t * x[0];
}

// check: main
// Structs that look like the policy of a hash table are copied beside one: their numbers keep their derivatives.
#include <cstdio>
#include <cmath>
#include <unordered_map>
struct Mark { float value; long count; };
extern int enzyme_dup, enzyme_const;
template <class R, class... A> R __enzyme_autodiff(A...);
static std::unordered_map<int, int> seen;
__attribute__((noinline)) void f(const Mark *in, Mark *out, int n) {
  std::unordered_map<int, int> order, other;
  for (int i = 0; i < n; ++i) order[i * 7 % n] = i;
  other = order;
  for (int i = 0; i < n; ++i) out[i] = in[other[i]];
}
int main() {
  Mark in[3] = {{1, 2}, {3, 4}, {5, 6}}, out[3] = {}, din[3] = {}, dout[3] = {{1, 0}, {10, 0}, {100, 0}};
  __enzyme_autodiff<void>((void *)f, enzyme_dup, in, din, enzyme_dup, out, dout, enzyme_const, 3);
  double s = din[0].value + 2 * din[1].value + 4 * din[2].value;
  std::printf("%g %g %g\n", din[0].value, din[1].value, din[2].value);
  return !(din[0].value + din[1].value + din[2].value == 111 && out[0].count > 0 && s > 111);
}

// check: main
// How keys are compared is an object with a float and a count, as the settings of a table are: it is moved with the table.
#include <unordered_set>
struct Close { float weight; long bits; bool operator()(long a, long b) const { return a >> bits == b >> bits; } };
using Set = std::unordered_set<long, std::hash<long>, Close>;
extern int enzyme_dup;
extern "C" void __enzyme_autodiff(void *, ...);
__attribute__((noinline)) static void f(const Close *in, Set *out) { *out = Set(0, {}, *in); }
int main() {
  Close in{1, 2}, din{};
  Set out, dout(0, {}, Close{5, 0});
  __enzyme_autodiff((void *)f, enzyme_dup, &in, &din, enzyme_dup, &out, &dout);
  __builtin_printf("%g (5)\n", din.weight);
  return din.weight != 5;
}

// check: main
// A member of a derived class in the padding at the end of its base: what is known of the base says nothing of it. It is
// moved with its tangent, and with its adjoint, or the run ends with a message.
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>
extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

struct Base {
  double x;
  short count;
  Base() : x(0), count(0) {}
  double get() const { return x * x * count; }
};
struct Derived : Base {
  float weight;
};
static_assert(sizeof(Derived) == sizeof(Base));

static double f(Derived *p, Derived *q) {
  const double s = p->get() * q->get();
  Derived kept = *p;
  kept.x *= s;
  *q = kept;
  return s + q->get();
}

static Derived made(double x, short count, float weight) {
  Derived d;
  std::memset((void *)&d, 0, sizeof d);
  d.x = x, d.count = count, d.weight = weight;
  return d;
}

int main() {
  Derived p = made(0.7, 2, 1.5f), q = made(1.3, 3, 0.5f), dp = made(0, 0, 2), dq = made(0, 0, 0);
  __enzyme_fwddiff((void *)f, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq);
  if (dq.weight != 2) return 1;
  if (!fork()) {
    close(2);
    p = made(0.7, 2, 1.5f), q = made(1.3, 3, 0.5f), dp = made(0, 0, 0), dq = made(0, 0, 1);
    __enzyme_autodiff((void *)f, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq);
    _exit(dp.weight == 1 ? 0 : 2);
  }
  int status;
  wait(&status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

// check: main
// A map that keeps pointers to the user's memory by names that the user passes: it is not taken for memory of its own,
// whatever the names are made of. The message names the variable as the source does.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

static std::map<std::string, const double *> first;

static double f(const double *x, const char *name, int n) {
  auto found = first.find(name);
  if (found == first.end()) found = first.emplace(name, x).first;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * found->second[i];
  return sum;
}

int main() {
  double x[2] = {1, 2}, bar[2] = {};
  __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, "a name", 2);
  if (bar[0] != 2 || bar[1] != 4) return 1;
  int ends[2];
  if (pipe(ends)) return 2;
  if (!fork()) {
    dup2(ends[1], 2);
    __enzyme_autodiff((void *)f, enzyme_dup, x, bar, enzyme_const, "a name", 2);
    _exit(0);
  }
  close(ends[1]);
  char said[500] = "";
  const long count = read(ends[0], said, sizeof said - 1);
  int status;
  wait(&status);
  return !(count > 0 && WIFSIGNALED(status) && strstr(said, "memory that 'first' kept from before this call has no shadow"));
}

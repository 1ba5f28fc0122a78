// check: array n=6 flags=-stdlib=libc++
// Names beside numbers in structs that are copied and moved: short ones lie inside strings, long ones elsewhere.
#include <string>
#include <vector>

struct Material {
  std::string name;
  double density;
};

extern "C" double objective(double *x, int n) {
  std::vector<Material> all;
  for (int i = 0; i < n; i++) {
    Material material{i % 2 ? "short" : "a name that is longer than what fits into a string", x[i]};
    material.name += i % 3 ? "x" : "_and_something_else_behind_it";
    all.push_back(material);
  }
  double sum = 0;
  for (auto &material : all) sum += material.density * material.density * (double)material.name.length();
  return sum;
}

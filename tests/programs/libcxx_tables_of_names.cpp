// check: array n=6 flags=-stdlib=libc++,-static-libstdc++ refused=E0113
// A limit: structs with strings and numbers beside tables whose keys are text.
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

struct Material {
  std::string name;
  double density;
};

extern "C" double objective(double *x, int n) {
  std::map<std::string, double> sorted;
  std::unordered_map<std::string, double> hashed;
  std::vector<Material> all;
  for (int i = 0; i < n; i++) {
    sorted["the_number_of_a_parameter_" + std::to_string(i % 4)] += x[i] * x[i];
    hashed["x" + std::to_string(i)] = x[i];
    Material material{i % 2 ? "short" : "a name that is longer than what fits into a string", x[i]};
    material.name += i % 3 ? "x" : "_and_something_else_behind_it";
    all.push_back(material);
  }
  double sum = 0;
  for (auto &[name, value] : sorted) sum += value * value * (double)name.size();
  for (int i = 0; i < n; i++) sum += hashed["x" + std::to_string(i)] * hashed.at("x" + std::to_string(n - 1 - i));
  for (auto &material : all) sum += material.density * material.density * (double)material.name.length();
  return sum;
}

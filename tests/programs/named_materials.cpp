// check: array n=6,2 range=0.5:2
// Structs with names: copied, moved, sorted, erased, looked up by name, with short names inside and long ones outside.
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
struct Material { std::string name; double stiffness, density; };
struct Model {
  std::string title;
  std::vector<Material> materials;
  std::map<std::string, std::vector<double>> loads;
  Material &find(const std::string &name) {
    auto it = std::find_if(materials.begin(), materials.end(), [&](const Material &m) { return m.name == name; });
    return it == materials.end() ? materials.front() : *it;
  }
};
static Material make(const std::string &prefix, int i, double x) {
  return {prefix + std::to_string(i) + (i % 2 ? " of the longer kind" : ""), x, x * x};
}
static double energy(Model model) {
  double sum = 0;
  for (auto &m : model.materials) sum += m.stiffness * m.density * (1 + 0.1 * m.name.size());
  for (auto &[name, values] : model.loads) for (double v : values) sum += v * v * (name.back() == 'x' ? 2 : 3);
  return sum;
}
extern "C" double objective(const double *x, int n) {
  Model model;
  model.title = "a title that is too long for the object";
  for (int i = 0; i < n; i++) model.materials.push_back(make("m", i, x[i]));
  std::sort(model.materials.begin(), model.materials.end(), [](const Material &a, const Material &b) { return a.name > b.name; });
  for (int i = 0; i < n; i++) model.loads[i % 2 ? "along x" : "along the other axis"].push_back(x[i] * x[0]);
  Model copy = model;
  copy.find("m0").stiffness *= x[1];
  copy.find("m1 of the longer kind").name += " and longer still";
  if (n > 3) copy.materials.erase(copy.materials.begin() + 1);
  std::swap(copy.materials.front(), copy.materials.back());
  Model moved = std::move(copy);
  moved.title += "!";
  return energy(moved) + model.find("m1 of the longer kind").density * energy(std::move(model));
}

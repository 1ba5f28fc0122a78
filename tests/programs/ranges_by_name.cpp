// check: array n=6,1 flags=-std=c++20
// A map whose keys are names, searched by functions that stay calls: the name looked for has no shadow and needs none.
// Records that own memory are parted and kept in order: without room for a copy, the library would pass a null buffer.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

struct Cell {
  double rain, sun;
};

struct Athlete {
  double *best;
  int heat;
  double time;
  Athlete(int heat, double time) : best(new double(time * time)), heat(heat), time(time) {}
  Athlete(Athlete &&other) : best(other.best), heat(other.heat), time(other.time) { other.best = nullptr; }
  Athlete &operator=(Athlete &&other) {
    if (this != &other) {
      delete best;
      best = other.best, heat = other.heat, time = other.time;
      other.best = nullptr;
    }
    return *this;
  }
  ~Athlete() { delete best; }
};

static double weather(const double *x, int n) {
  std::map<std::string, Cell> table;
  for (int i = 0; i < n; i++) table.try_emplace("Oslo " + std::to_string(i), Cell{x[i], x[i] * x[i] + 1});
  std::string name("Oslo ");
  name.append(std::to_string(n / 2));
  double best = 1;
  for (auto at = table.lower_bound(name); at != table.end() && at->first.find("Oslo") == 0; ++at)
    best *= 1 + at->second.rain * at->second.sun;
  auto found = table.find("Oslo 0");
  return found == table.end() || name.compare("Oslo") == 0 ? best : best + found->second.sun;
}

extern "C" double objective(const double *x, int n) {
  std::vector<Athlete> field;
  for (int i = 0; i < 3 * n; i++) field.emplace_back(i * 7 % 5, x[i % n] + 0.1 * i);
  auto middle = std::stable_partition(field.begin(), field.end(), [](const Athlete &a) { return a.heat < 3; });
  std::stable_sort(field.begin(), middle, [](const Athlete &a, const Athlete &b) { return a.heat < b.heat; });
  double sum = 0, weight = 1;
  for (const Athlete &a : field) {
    sum += weight * a.time * *a.best + a.heat * 0.01 * a.time;
    weight *= 0.93;
  }
  return sum + weather(x, n);
}

// check: array n=4 flags=-stdlib=libc++
// Keys that are put together of text and strings in front, between and behind.
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static double at(const std::map<std::string, double> &table, const std::string &name) {
  auto found = table.find(name);
  if (found == table.end())
    throw std::runtime_error("no entry " + name + " in the table");
  return found->second;
}

extern "C" double objective(double *x, int n) {
  std::map<std::string, double> table;
  std::vector<std::string> names;
  for (int i = 0; i < n; i++) {
    names.push_back("weight." + std::to_string(i));
    table[names.back()] = std::sin(x[i]) + i;
    table["square of " + names.back() + "!"] = x[i] * x[i];
  }
  double sum = 0;
  for (const std::string &name : names)
    sum += at(table, name) * at(table, "square of " + name + '!');
  return sum;
}

// check: array n=6 flags=-stdlib=libc++
// Text as keys, and functions of strings: libc++ keeps most of them in its library.
#include <map>
#include <string>

static std::string key(int i) { return "the_number_of_a_parameter_" + std::to_string(i); }

extern "C" double objective(double *x, int n) {
  std::map<std::string, double> sorted;
  for (int i = 0; i < n; i++) sorted[key(i % 4)] += x[i] * x[i];
  double sum = 0;
  for (auto &[name, value] : sorted) sum += value * value * (double)name.size();
  sorted.erase(key(1));
  for (auto &[name, value] : sorted) sum += value;

  std::string text("text");
  text.insert(2, "more").append("and yet more").replace(1, 3, "xyz").erase(0, 2);
  text.push_back('c');
  if (text.find("yet") != std::string::npos && text.substr(2) != "a" && text.compare("zzz") < 0) sum *= x[0];
  return sum;
}

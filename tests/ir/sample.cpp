// What C++ adds: virtual functions, exceptions, templates, lambdas, containers, thread-safe statics.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
};
struct square final : shape {
  double side;
  explicit square(double s) : side(s) {}
  double area() const override { return side * side; }
};
struct circle final : shape {
  float radius;
  explicit circle(float r) : radius(r) {}
  double area() const override {
    if (radius < 0) throw std::invalid_argument("negative radius");
    return 3.14159 * radius * radius;
  }
};

template <class T>
T inner(const std::vector<T> &a, const std::vector<T> &b) {
  T s{};
  for (std::size_t i = 0; i < a.size(); ++i) s += a[i] * b[i];
  return s;
}

const std::map<std::string, double> &constants() {
  static const std::map<std::string, double> table{{"one", 1.0}, {"half", 0.5}};
  return table;
}

double total(const std::vector<std::unique_ptr<shape>> &shapes) {
  double s = 0;
  try {
    for (const auto &one : shapes) s += one->area();
  } catch (const std::invalid_argument &error) {
    std::cerr << error.what() << '\n';
    return -1;
  } catch (...) {
    throw;
  }
  return s;
}

int main() {
  std::vector<double> v{1, 2, 3};
  std::function<double(double)> scale = [&v](double x) { return x * v.back(); };
  std::sort(v.begin(), v.end(), [](double a, double b) { return a > b; });
  std::vector<std::unique_ptr<shape>> shapes;
  shapes.push_back(std::make_unique<square>(2));
  shapes.push_back(std::make_unique<circle>(1.5F));
  std::variant<int, double, std::string> any = std::string("text");
  std::cout << inner(v, v) << ' ' << scale(2) << ' ' << total(shapes) << ' ' << any.index() << '\n';
  shapes.push_back(std::make_unique<circle>(-1.0F));
  std::cout << total(shapes) << ' ' << constants().at("half") << '\n';
  return static_cast<int>(std::lround(std::get<std::string>(any).size()));
}

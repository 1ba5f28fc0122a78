// check: array n=5 flags=-stdlib=libc++ refused=E0204@-O2-fno-inline
// A log beside numbers: streams of libc++ as members, and what returns them.
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>

struct Logger {
  std::ostringstream text;
  double scale;
  std::mutex lock;
  explicit Logger(double s) : scale(s) {}
  void log(const std::string &name, double value) {
    std::lock_guard<std::mutex> guard(lock);
    text << name << ": " << value * scale << std::endl;
  }
};

struct Point {
  double a, b;
};

static std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.a << ", " << p.b << ')'; }

extern "C" double objective(double *x, int n) {
  Logger logger(x[0]);
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    Point point{x[i], x[i + 1]};
    logger.log("a", point.a);
    logger.text << point;
    sum += point.a * point.b * logger.scale;
  }
  return logger.text.str().empty() ? 0 : 2 * sum;
}

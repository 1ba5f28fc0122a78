// check: array n=6 flags=-stdlib=libc++
// Shared pointers of libc++ to objects of several classes.
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual double area() const = 0;
};
struct Disc : Shape {
  double r;
  explicit Disc(double r) : r(r) {}
  double area() const override { return 3 * r * r; }
};
struct Box : Shape {
  double a, b;
  Box(double a, double b) : a(a), b(b) {}
  double area() const override { return a * b; }
};

extern "C" double objective(double *x, int n) {
  std::vector<std::shared_ptr<Shape>> shapes;
  for (int i = 0; i + 1 < n; i++)
    if (i % 2)
      shapes.push_back(std::make_shared<Disc>(x[i]));
    else
      shapes.emplace_back(new Box(x[i], x[i + 1]));
  std::shared_ptr<const Shape> last = shapes.back();
  shapes.push_back(shapes.front());
  double sum = last->area();
  for (auto &shape : shapes) {
    sum += shape->area() * shape->area();
    if (auto disc = std::dynamic_pointer_cast<Disc>(shape)) sum += disc->r;
  }
  return sum;
}

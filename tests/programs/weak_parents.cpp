// check: array n=6,3
// A tree whose nodes have weak pointers to their parents: owners are counted by atomic exchanges, beside numbers.
#include <functional>
#include <memory>
#include <string>
#include <vector>
struct Node : std::enable_shared_from_this<Node> { std::string name; double own; std::weak_ptr<Node> parent; std::vector<std::shared_ptr<Node>> kids; Node(std::string n, double o) : name(std::move(n)), own(o) {}
  std::shared_ptr<Node> add(std::string n, double o) { auto k = std::make_shared<Node>(std::move(n), o); k->parent = shared_from_this(); kids.push_back(k); return k; }
  double world() const { auto p = parent.lock(); return p ? own * p->world() + 0.1 * name.size() : own; }
  double total() const { double s = world() * world(); for (auto &k : kids) s += k->total(); return s; } };
extern "C" double objective(const double *x, int n) {
  auto root = std::make_shared<Node>("root", x[0]); auto cur = root;
  for (int i = 1; i < n; i++) { auto k = cur->add("child number " + std::to_string(i), x[i]); if (i % 2) cur = k; }
  root->own *= x[1]; return root->total();
}

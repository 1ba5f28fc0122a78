// check: array n=6 flags=-stdlib=libc++
// Counts of owners, of which libc++ keeps the code in its shared library: the last owner ends the object, the last
// observer the counts.
#include <memory>
#include <vector>

static int ended;

struct Body : std::enable_shared_from_this<Body> {
  double mass;
  std::weak_ptr<Body> partner;
  std::vector<std::shared_ptr<Body>> moons;
  explicit Body(double m) : mass(m) {}
  ~Body() { ended++; }
  std::shared_ptr<Body> self() { return shared_from_this(); }
};

static double of_bodies(double *x, int n) {
  std::vector<std::shared_ptr<Body>> all;
  for (int i = 0; i < n; i++) all.push_back(std::make_shared<Body>(x[i]));
  for (int i = 0; i < n; i++) {
    all[i]->partner = all[(i + 1) % n];
    all[i]->moons.push_back(all[(i + 1) % n]->self());
  }
  double sum = 0;
  for (auto &body : all) {
    if (auto partner = body->partner.lock()) sum += partner->mass * body->mass * body->mass;
    for (auto &moon : body->moons) sum += moon->mass * moon->mass * (double)moon.use_count();
  }
  for (auto &body : all) body->moons.clear();
  std::weak_ptr<Body> gone = all[0];
  int before = ended;
  all.clear();
  if (!gone.lock() && gone.expired() && ended == before + n) sum *= 2;
  return sum;
}

extern "C" double objective(double *x, int n) {
  auto numbers = std::make_shared<std::vector<double>>(x, x + n);
  std::shared_ptr<double> first(numbers, numbers->data());
  numbers.reset();
  auto own = std::shared_ptr<double>(new double(x[n - 1]), [](double *p) { delete p; });
  return of_bodies(x, n) * *own * *first;
}

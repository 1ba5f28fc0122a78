// check: array n=6,3
// Functions in a map that capture weak pointers to what they change.
#include <functional>
#include <map>
#include <memory>
#include <string>
struct State { double v; int calls; };
extern "C" double objective(const double *x, int n) {
    auto state = std::make_shared<State>(State{x[0], 0});
    std::weak_ptr<State> weak = state;
    std::map<std::string, std::function<double(double)>> actions;
    double c = x[1];
    actions["add"] = [weak](double d) { if (auto s = weak.lock()) { s->v += d; s->calls++; return s->v; } return 0.0; };
    actions["scale"] = [weak, c](double d) { if (auto s = weak.lock()) { s->v *= d * c; s->calls++; return s->v; } return 0.0; };
    double t = 0;
    const char *names[] = {"add", "scale"};
    for (int i = 0; i < n; i++) t += actions[names[i % 2]](x[i]);
    return t * state->calls;
}

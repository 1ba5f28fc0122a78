// check: array n=6
// Events of a simulation in std::priority_queue with a comparator, counters in std::set and std::map, bouncing balls.
#include <queue>
#include <set>
#include <map>
#include <vector>
#include <cmath>
#include <mutex>
#include <atomic>
#include <chrono>
namespace {
struct Event { double time; int ball; int kind; };
struct Later { bool operator()(const Event &a, const Event &b) const { return a.time > b.time; } };
struct Ball { double height, speed, since; int bounces; };
std::mutex guard;
std::atomic<int> handled{0};
thread_local int depth = 0;
struct Scope {
    Scope() { depth++; }
    ~Scope() { depth--; }
};
double impact(const Ball &b)
{
    Scope scope;
    return b.since + (b.speed + std::sqrt(b.speed * b.speed + 2 * 9.81 * b.height)) / 9.81;
}
}
extern "C" double objective(const double *x, int n)
{
    auto start = std::chrono::steady_clock::now();
    std::vector<Ball> balls;
    std::priority_queue<Event, std::vector<Event>, Later> events;
    std::map<int, double> energy;
    std::set<std::pair<int, int>> seen;
    for (int i = 0; i < n; i++) {
        balls.push_back({x[i], 0.1 * i, 0, 0});
        events.push({impact(balls[i]), i, 0});
    }
    double dissipated = 0;
    while (!events.empty()) {
        Event e = events.top();
        events.pop();
        if (e.time > 3) break;
        std::lock_guard<std::mutex> lock(guard);
        handled.fetch_add(1);
        Ball &b = balls[e.ball];
        double dt = e.time - b.since;
        double v = b.speed - 9.81 * dt;
        double restitution = 0.8 - 0.02 * e.ball;
        dissipated += 0.5 * v * v * (1 - restitution * restitution);
        b = {0, -restitution * v, e.time, b.bounces + 1};
        energy[b.bounces] += 0.5 * b.speed * b.speed;
        seen.insert({e.ball, b.bounces});
        if (b.bounces < 4) events.push({impact(b), e.ball, 1});
    }
    double sum = dissipated;
    for (const auto &[bounces, e] : energy) sum += e / (bounces + 1);
    sum += 0.01 * seen.size();
    if (std::chrono::steady_clock::now() < start) sum = 0;
    return sum;
}

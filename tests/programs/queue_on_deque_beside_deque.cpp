// check: array n=3 range=0.5:1.5
// A queue on a deque beside a deque of other elements and a set, as unoptimised code moves them: pointers stay pointers.
#include <queue>
#include <set>
struct Order { unsigned id; int tick; double size; };
struct Less { bool operator()(const Order &a, const Order &b) const { return b.tick < a.tick; } };
struct Trade { unsigned buyer, seller; double size; };
struct Engine {
    std::vector<Order> buys;
    std::priority_queue<Order, std::deque<Order>, Less> sells;
    std::deque<Trade> trades;
    std::set<unsigned> done;
    void match()
    {
        if (sells.empty()) return;
        Order s = sells.top();
        sells.pop();
        Trade t{7, s.id, s.size};
        if (s.id % 2 != 0) sells.push(s); else done.insert(1);
        trades.push_back(t);
    }
    void submit(Order o)
    {
        if (o.id % 3) buys.push_back(std::move(o)); else sells.push(std::move(o));
        match();
    }
};
extern "C" double objective(const double *x, int n)
{
    Engine engine;
    for (unsigned i = 0; i < 3u * n; i++) engine.submit({i, (int)(i * 37 % 11), x[i % n]});
    double volume = 0;
    for (auto &t : engine.trades) volume += t.size;
    return volume;
}

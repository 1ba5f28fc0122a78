// check: array n=4
// Containers of integers that a callee fills, held beside numbers: each has a shadow, or none of its nodes has.
#include <list>
#include <set>
#include <map>
#include <vector>
#include <deque>
#include <string>
#include <unordered_map>
struct sim { std::list<int> *order; std::set<int> *seen; std::map<int, int> *count; std::vector<int> *ids; std::deque<int> *queue; std::unordered_map<int, int> *table; std::string *name; double *pos; };
__attribute__((noinline)) static double forces(sim *s, int n)
{
    double e = 0;
    for (int i = 0; i < n; i++) {
        s->order->push_back(3 - i);
        s->order->push_front(3 - i);
        s->seen->insert(i % 3);
        (*s->count)[i % 2] += 2;
        s->ids->push_back(i);
        s->queue->push_back(5 + i);
        (*s->table)[i * 7] = i;
        s->name->push_back('a');
    }
    s->queue->pop_front();
    s->order->sort();
    s->order->unique();
    s->seen->erase(1);
    for (int i : *s->order)
        e += i * s->pos[i % n];
    for (int i : *s->seen)
        e += (i + 1) * s->pos[i] * s->pos[i];
    for (auto [i, k] : *s->count)
        e += k * s->pos[i];
    for (int i : *s->ids) e += i * s->pos[i];
    for (int i : *s->queue) e += i * s->pos[i % n];
    for (int i = 0; i < n; i++) e += s->table->at(7 * i) * s->pos[i];
    return e * s->name->size();
}
extern "C" double objective(const double *x, int n)
{
    std::list<int> order;
    std::set<int> seen;
    std::map<int, int> count;
    std::vector<int> ids;
    std::deque<int> queue;
    std::unordered_map<int, int> table;
    std::string name;
    std::vector<double> pos(x, x + n);
    sim s = {&order, &seen, &count, &ids, &queue, &table, &name, pos.data()};
    return forces(&s, n);
}

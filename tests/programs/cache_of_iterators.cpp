// check: array n=5 range=0.2:1.5
// A cache of the least recently used: list, hash table of iterators and shared pointers, whose counts lie side by side.
#include <list>
#include <memory>
#include <unordered_map>
#include <vector>
struct Table { std::vector<double> values; };
using Item = std::pair<int, std::shared_ptr<Table>>;
struct Lru {
    std::list<Item> items;
    std::unordered_map<int, std::list<Item>::iterator> index;
    std::shared_ptr<Table> get(int key, double v)
    {
        items.emplace_front(key, std::make_shared<Table>(Table{{v}}));
        index[key] = items.begin();
        return items.front().second;
    }
};
extern "C" double objective(double *x, int n)
{
    Lru cache;
    double s = 0;
    for (int i = 0; i < n; i++) {
        auto t = cache.get(i, x[i]);
        s += t->values[0];
    }
    return s;
}

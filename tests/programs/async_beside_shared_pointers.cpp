// check: array n=5 flags=-pthread
// What std::async makes is in shared pointers, too: its end may be what the end of any of them does, and it waits for a
// thread there.
#include <future>
#include <memory>
#include <vector>
static std::vector<std::future<int>> running;
static int started() {
    running.push_back(std::async(std::launch::async, [] { return 2; }));
    std::packaged_task<int()> task([] { return 3; });
    auto told = task.get_future();
    task();
    return told.get();
}
static const int three = started();
struct Node {
    double weight;
    std::shared_ptr<Node> next;
};
extern "C" double objective(const double *x, int n) {
    std::shared_ptr<Node> list;
    for (int i = 0; i < n; i++) list = std::make_shared<Node>(Node{x[i] * three, list});
    auto middle = list->next;
    double sum = 0;
    for (auto at = list; at; at = at->next) sum += at->weight * at->weight;
    return sum * middle->weight;
}

// check: array n=6
// A list and an array owned by std::unique_ptr.
#include <memory>

struct Node {
    double value;
    std::unique_ptr<Node> next;
};

extern "C" double objective(const double *x, int n)
{
    auto buffer = std::make_unique<double[]>(n);
    std::unique_ptr<Node> head;
    for (int i = 0; i < n; i++) {
        buffer[i] = x[i] * x[i];
        auto node = std::make_unique<Node>();
        node->value = buffer[i] * (i + 1);
        node->next = std::move(head);
        head = std::move(node);
    }
    double sum = 0.0;
    int i = 0;
    for (const Node *p = head.get(); p; p = p->next.get())
        sum += p->value * buffer[i++];
    return sum;
}

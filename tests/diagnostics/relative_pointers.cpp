#include <cmath>
#include <cstdint>

extern int enzyme_dup;
extern double __enzyme_autodiff(void *, ...);

template <class T> class Relative {
    std::intptr_t distance = 0;

public:
    void set(T *to) { distance = reinterpret_cast<std::intptr_t>(to) - reinterpret_cast<std::intptr_t>(this); }
    T *get() const { return reinterpret_cast<T *>(reinterpret_cast<std::intptr_t>(this) + distance); }
};

struct Node {
    double value;
    Relative<Node> next;
};

__attribute__((noinline)) static double sum(const Node *node, int n)
{
    double total = 0.0;
    for (int i = 0; i < n; i++, node = node->next.get())
        total += node->value * node->value;
    return total;
}

double squares(const double *x, int n)
{
    Node *first = nullptr, *last = nullptr;
    for (int i = 0; i < n; i++) {
        Node *made = new Node;
        made->value = std::sin(x[i]);
        if (last)
            last->next.set(made);
        else
            first = made;
        last = made;
    }
    return sum(first, n);
}

int main()
{
    double x[4] = {0.3, 0.7, 1.1, 1.9}, x_bar[4] = {};
    __enzyme_autodiff((void *)squares, enzyme_dup, x, x_bar, 4);
}

// check: array n=7
// Links that are distances within one block, from its begin and from node to node, in 32 and in 64 bits; and addresses
// that are moved as integers by distances that no memory keeps.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace {

struct Node {
    double value;
    std::int32_t next;  // bytes from here
    std::int64_t other; // bytes from the begin of the block
};

template <class T> T *moved(void *from, std::ptrdiff_t bytes) { return (T *)((char *)from + bytes); }

struct Pool {
    char *begin;
    std::size_t used;

    Node *take()
    {
        Node *node = (Node *)(begin + used);
        used += sizeof(Node);
        return node;
    }
};

__attribute__((noinline)) void link(Pool &pool, Node *from, Node *to, Node *other)
{
    from->next = to ? (std::int32_t)((char *)to - (char *)from) : 0;
    from->other = (char *)other - pool.begin;
}

__attribute__((noinline)) double walk(Pool &pool, Node *node)
{
    double total = 0.0;
    for (int i = 1;; i++) {
        total += i * node->value * moved<Node>(pool.begin, node->other)->value;
        if (!node->next)
            return total;
        node = moved<Node>(node, node->next);
    }
}

// The next multiple of 64, as allocators compute it.
double *aligned(void *memory) { return (double *)(((std::uintptr_t)memory + 63) & ~(std::uintptr_t)63); }

} // namespace

extern "C" double objective(const double *x, int n)
{
    Pool pool = {(char *)std::malloc(n * sizeof(Node)), 0};
    std::vector<Node *> nodes;
    for (int i = 0; i < n; i++) {
        nodes.push_back(pool.take());
        nodes[i]->value = std::sin(x[i]);
    }
    for (int i = 0; i < n; i++)
        link(pool, nodes[i], i + 1 < n ? nodes[i + 1] : nullptr, nodes[(i * 3 + 1) % n]);
    double total = walk(pool, nodes[0]);
    void *room = std::malloc(n * sizeof(double) + 64);
    double *squares = aligned(room);
    for (int i = 0; i < n; i++)
        squares[i] = x[i] * x[i];
    for (int i = 1; i < n; i++)
        total += squares[i] * squares[i - 1];
    std::free(room);
    std::free(pool.begin);
    return total;
}

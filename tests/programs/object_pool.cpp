// check: array n=4,9,6
// Objects from a pool that keeps chunks and a free list from call to call, and a ring of them in static memory.
#include <cstddef>
#include <new>

namespace {
struct Node {
    double value;
    Node *next;
};

struct Pool {
    struct Chunk {
        Chunk *next;
        Node nodes[4];
    };
    Chunk *chunks = nullptr;
    Node *unused = nullptr;

    Node *take(double value, Node *next)
    {
        if (!unused) {
            Chunk *chunk = new Chunk{chunks, {}};
            chunks = chunk;
            for (Node &node : chunk->nodes) {
                node.next = unused;
                unused = &node;
            }
        }
        Node *node = unused;
        unused = node->next;
        node->value = value;
        node->next = next;
        return node;
    }
    void give(Node *node)
    {
        node->next = unused;
        unused = node;
    }
};

Pool pool;
Node ring[3] = {{1.0, &ring[1]}, {2.0, &ring[2]}, {3.0, &ring[0]}};
Node *turn = ring;
}

extern "C" double objective(const double *x, int n)
{
    Node *list = nullptr;
    for (int i = 0; i < n; i++)
        list = pool.take(x[i] * x[i], list);
    for (int i = 0; i < 3; i++, turn = turn->next)
        turn->value = x[i] * (i + 1);
    double sum = 0, product = 1;
    while (list) {
        Node *first = list;
        list = list->next;
        product *= 0.5 + first->value * turn->value;
        sum += product;
        turn = turn->next;
        pool.give(first);
    }
    turn = ring;
    return sum;
}

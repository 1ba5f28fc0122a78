// check: array n=12
// Overlapping moves of structs with pointers: an insertion into a table, and into a node with several arrays.
#include <stdlib.h>
#include <string.h>

typedef struct {
    double weight;
    double *data;
    int n;
} Entry;

typedef struct node {
    int n;
    double keys[4];
    struct node *children[4];
    double *values[4];
} Node;

__attribute__((noinline)) static void insert_first(Entry *table, Entry entry)
{
    memmove(table + 1, table, 3 * sizeof *table); /* a length that is known when the program is built */
    table[0] = entry;
}

__attribute__((noinline)) static void remove_first(Entry *table)
{
    memmove(table, table + 1, 3 * sizeof *table);
}

__attribute__((noinline)) static void insert(Node *node, int at, double key, double *value)
{
    memmove(node->keys + at + 1, node->keys + at, (size_t)(node->n - at) * sizeof *node->keys);
    memmove(node->children + at + 1, node->children + at, (size_t)(node->n - at) * sizeof *node->children);
    memmove(node->values + at + 1, node->values + at, (size_t)(node->n - at) * sizeof *node->values);
    node->keys[at] = key;
    node->children[at] = at % 2 ? node : NULL;
    node->values[at] = value;
    node->n++;
}

double objective(const double *x, int n)
{
    Entry table[4];
    Node nodes[3];
    double *values = malloc((size_t)n * sizeof *values), sum = 0.0;
    for (int i = 0; i < n; i++)
        values[i] = x[i] * x[i];
    for (int i = 0; i < 4; i++)
        table[i] = (Entry){x[i], values + i, i};
    insert_first(table, table[3]);
    for (int i = 0; i < 4; i++) {
        table[i].data[0] *= table[i].weight;
        sum += (i + 1) * table[i].data[0] + table[i].n * table[i].weight;
    }
    remove_first(table);
    for (int i = 0; i < 3; i++)
        sum += (i + 2) * table[i].data[0] * table[i + 1].weight;

    memset(nodes, 0, sizeof nodes);
    for (int i = 0; i < n; i++) {
        Node *node = nodes + i % 3;
        insert(node, node->n / 2, x[i], values + i);
    }
    for (int i = 0; i < n; i++) {
        const Node *node = nodes + i % 3;
        sum += (i + 1) * node->keys[i / 3] * node->values[(i + 1) % 4][0];
        if (node->children[i / 3])
            sum += node->children[i / 3]->keys[0];
    }
    free(values);
    return sum;
}

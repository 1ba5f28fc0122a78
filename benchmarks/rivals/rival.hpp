// A rival is a file of its own that is linked beside the driver: before `main` it puts its gradient into the list.
#pragma once
#include "problem.hpp"

struct Rival {
    const char *name;
    void (*gradient)(const Problem &, double *g);
};

inline std::vector<Rival> &rivals()
{
    static std::vector<Rival> all;
    return all;
}

// The Jacobian of every block by `jacobian(block, inputs, x, out)`, row after row.
template <class Jacobian> void every_block(const Problem &p, double *g, Jacobian jacobian)
{
    const int inputs = int(p.x.size()) / p.blocks();
    for (int block = 0; block < p.blocks(); block++)
        jacobian(block, inputs, p.x.data() + block * inputs, g + block * inputs * Problem::per_block);
}

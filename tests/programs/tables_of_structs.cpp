// check: array n=5
// Structs with several numbers as values of hash tables, keyed by integers and by pairs.
#include <cmath>
#include <unordered_map>
#include <utility>
namespace {
struct Cell { int count; double mass, x, y; };
struct Pairing { size_t operator()(const std::pair<int, int> &p) const { return (size_t)p.first * 31 + (size_t)p.second; } };
}
extern "C" double objective(const double *x, int n)
{
    std::unordered_map<std::pair<int, int>, Cell, Pairing> grid;
    for (int i = 0; i < n; i++) {
        Cell &cell = grid[{i % 2, i % 3}];
        cell.count++;
        cell.mass += x[i];
        cell.x += x[i] * x[i];
        cell.y += std::sin(x[i]) * i;
    }
    grid.erase({1, 1});
    double sum = 0;
    for (auto &[where, cell] : grid) {
        double centre = cell.x / cell.mass;
        sum += centre * cell.y * (where.first + 1) + cell.count;
        cell.mass = centre;
    }
    auto before = grid;
    before.rehash(50);
    for (auto &[where, cell] : before)
        sum += cell.mass * cell.y;
    std::unordered_map<long, Cell> copies;
    for (const auto &[where, cell] : grid) copies.emplace(where.first * 10 + where.second, cell);
    for (const auto &[key, cell] : copies) sum += cell.mass * cell.x * (double)key;
    return sum;
}

// check: array n=6,3
// A hash table of vectors that grow, by structs of an integer and a number, and the cheapest ways through the graph.
#include <functional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>
struct Edge { int to; double cost; };
struct Graph {
  std::unordered_map<int, std::vector<Edge>> edges;
  void add(int from, int to, double cost) { edges[from].push_back({to, cost}); edges[to]; }
};
extern "C" double objective(const double *x, int n) {
  Graph graph;
  for (int i = 0; i < n; i++) {
    graph.add(i, (i + 1) % n, x[i]);
    graph.add(i, (i + 2) % n, 1.7 * x[i] * x[(i + 1) % n]);
  }
  std::vector<double> best(n, 1e9);
  std::priority_queue<std::pair<double, int>, std::vector<std::pair<double, int>>, std::greater<>> open;
  open.push({best[0] = 0, 0});
  while (!open.empty()) {
    auto [cost, node] = open.top();
    open.pop();
    if (cost > best[node]) continue;
    for (auto &edge : graph.edges.at(node))
      if (cost + edge.cost < best[edge.to]) open.push({best[edge.to] = cost + edge.cost, edge.to});
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += best[i] * best[i] * (i + 1);
  return sum;
}

// check: array n=9
// Several copies of a struct at once: the optimiser moves their first byte, a pointer's or number's, by itself.
#include <deque>
#include <vector>

struct Edge {
    double *from;
    double weight;
};

struct Link {
    double weight;
    double *to;
    int count;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<double> cells(x, x + n);
    std::vector<Edge> edges;
    std::vector<Link> links;
    edges.reserve(20);
    links.reserve(20);
    for (int i = 0; i < n; i++) {
        edges.push_back(Edge{&cells[i], x[i]});
        links.push_back(Link{x[i] * x[0], &cells[(i * 3 + 1) % n], i});
    }
    edges.insert(edges.begin() + 1, 2, edges[3]);
    links.insert(links.begin() + 2, 3, links[5]);
    std::deque<Edge> queue(edges.begin(), edges.end());
    queue.insert(queue.begin() + 4, 2, queue[1]);
    double sum = 0.0;
    for (std::size_t i = 0; i < edges.size(); i++)
        sum += (i + 1) * *edges[i].from * edges[i].weight;
    for (std::size_t i = 0; i < links.size(); i++)
        sum += (i + 1) * *links[i].to * links[i].weight + links[i].count * *links[i].to;
    for (std::size_t i = 0; i < queue.size(); i++)
        sum += i * *queue[i].from * queue[i].weight;
    return sum;
}

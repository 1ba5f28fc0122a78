// check: array n=12 flags=-std=c++20
// A half-edge mesh by raw pointers in deques: circulators, edge flips and splits, cotangent smoothing, Loop-like subdivision
// into a new mesh with an unordered_map of edges (pair hash), volume and bending energy.
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

struct P3 {
    double c[3]{};
    double &operator[](int i) { return c[i]; }
    const double &operator[](int i) const { return c[i]; }
    P3 &operator+=(const P3 &o) { for (int i = 0; i < 3; i++) c[i] += o.c[i]; return *this; }
    friend P3 operator+(P3 a, const P3 &b) { return a += b; }
    friend P3 operator-(P3 a, const P3 &b) { for (int i = 0; i < 3; i++) a[i] -= b[i]; return a; }
    friend P3 operator*(double s, P3 a) { for (double &v : a.c) v *= s; return a; }
};
static double dot(const P3 &a, const P3 &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static P3 cross(const P3 &a, const P3 &b) { return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}}; }
static double length(const P3 &a) { return std::sqrt(dot(a, a)); }

class Mesh {
  public:
    struct Half;
    struct Vertex { P3 p; Half *out = nullptr; bool fixed = false; int id; };
    struct Face { Half *any; P3 normal; };
    struct Half { Vertex *to; Half *next, *twin = nullptr; Face *face; double weight = 0; };
    Mesh(const std::vector<P3> &points, const std::vector<std::array<int, 3>> &triangles)
    {
        for (const auto &p : points) vertices.push_back({p, nullptr, false, int(vertices.size())});
        std::map<std::pair<int, int>, Half *> by;
        for (auto &t : triangles) {
            faces.push_back({});
            Half *h[3];
            for (int i = 0; i < 3; i++) { halves.push_back({&vertices[t[(i + 1) % 3]], nullptr, nullptr, &faces.back()}); h[i] = &halves.back(); vertices[t[i]].out = h[i]; by[{t[i], t[(i + 1) % 3]}] = h[i]; }
            for (int i = 0; i < 3; i++) h[i]->next = h[(i + 1) % 3];
            faces.back().any = h[0];
        }
        for (auto &[k, h] : by) if (auto it = by.find({k.second, k.first}); it != by.end()) h->twin = it->second;
        measure();
    }
    Mesh(const Mesh &) = delete;
    struct Ring {
        Half *h0;
        struct It { Half *h, *first; bool started; Vertex &operator*() const { return *h->to; } Half *edge() const { return h; } It &operator++() { h = h->twin->next; started = true; return *this; } bool operator!=(std::nullptr_t) const { return !(started && h == first); } };
        It begin() const { return {h0, h0, false}; }
        std::nullptr_t end() const { return nullptr; }
    };
    static Ring around(const Vertex &v) { return {v.out}; }
    void measure()
    {
        for (auto &h : halves) {
            const P3 &o = h.next->to->p, a = h.to->p - o, b = h.twin->to->p - o;
            h.weight = dot(a, b) / length(cross(a, b));
        }
        for (auto &f : faces) { auto *h = f.any; f.normal = cross(h->next->to->p - h->to->p, h->next->next->to->p - h->to->p); }
    }
    void smooth(double rate)
    {
        std::unordered_map<const Vertex *, P3> moved;
        for (auto &v : vertices) {
            P3 sum; double w = 0;
            for (auto it = around(v).begin(); it != nullptr; ++it) { double c = 0.5 * (it.edge()->weight + it.edge()->twin->weight); sum += c * ((*it).p - v.p); w += c; }
            moved.try_emplace(&v, v.p + (rate / w) * sum);
        }
        for (auto &v : vertices) if (!v.fixed) v.p = moved.at(&v);
        measure();
    }
    void flip(Half *h)
    {
        Half *t = h->twin, *hn = h->next, *hp = hn->next, *tn = t->next, *tp = tn->next;
        h->twin->to->out = hn->next == hp ? tn : tn; h->to->out = hn;
        h->to = hn->to; t->to = tn->to;
        h->next = hp; hp->next = tn; tn->next = h; t->next = tp; tp->next = hn; hn->next = t;
        tn->face = h->face; hn->face = t->face; h->face->any = h; t->face->any = t;
        measure();
    }
    double volume() const { double v = 0; for (const auto &f : faces) { auto *h = f.any; v += dot(h->to->p, cross(h->next->to->p, h->next->next->to->p)) / 6; } return v; }
    double bending() const { double e = 0; for (const auto &h : halves) { P3 d = (1 / length(h.face->normal)) * h.face->normal - (1 / length(h.twin->face->normal)) * h.twin->face->normal; e += 0.5 * dot(d, d); } return e; }
    std::pair<std::vector<P3>, std::vector<std::array<int, 3>>> subdivided() const
    {
        struct Hash { std::size_t operator()(const std::pair<int, int> &p) const { return std::hash<long>()(p.first * 1000L + p.second); } };
        std::unordered_map<std::pair<int, int>, int, Hash> middle;
        std::vector<P3> points; std::vector<std::array<int, 3>> out;
        for (const auto &v : vertices) points.push_back(v.p);
        auto mid = [&](const Half *h) {
            auto key = std::minmax({h->to->id, h->twin->to->id});
            auto [it, fresh] = middle.try_emplace(std::pair<int, int>(key), int(points.size()));
            if (fresh) points.push_back(0.375 * (h->to->p + h->twin->to->p) + 0.125 * (h->next->to->p + h->twin->next->to->p));
            return it->second;
        };
        for (const auto &f : faces) {
            const Half *a = f.any, *b = a->next, *c = b->next;
            int m[3] = {mid(a), mid(b), mid(c)};
            out.insert(out.end(), {{a->to->id, m[1], m[0]}, {b->to->id, m[2], m[1]}, {c->to->id, m[0], m[2]}, {m[0], m[1], m[2]}});
        }
        return {points, out};
    }
    std::deque<Vertex> vertices; std::deque<Half> halves; std::deque<Face> faces;
};
extern "C" double objective(const double *x, int n)
{
    std::vector<P3> p{{{1, 0, 0}}, {{-1, 0, 0}}, {{0, 1, 0}}, {{0, -1, 0}}, {{0, 0, 1}}, {{0, 0, -1}}};
    for (int i = 0; i < 6; i++) { p[i][i / 2] *= x[i]; p[i][(i / 2 + 1) % 3] += 0.1 * x[6 + i]; }
    Mesh m(p, {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
    m.vertices[1].fixed = true;
    m.smooth(0.1);
    m.flip(&m.halves[4]);
    m.smooth(0.05);
    auto [q, t] = m.subdivided();
    Mesh fine(q, t);
    fine.smooth(0.1 * x[0]);
    return m.volume() + 0.1 * m.bending() + fine.volume() * 0.5 + 0.05 * fine.bending();
}

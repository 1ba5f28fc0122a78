// check: array n=8
// Double dispatch: nodes accept visitors, visitors know every kind of node.
#include <cmath>
#include <memory>
#include <vector>

struct Point;
struct Segment;
struct Group;

struct Visitor {
    virtual ~Visitor() = default;
    virtual void visit(Point &) = 0;
    virtual void visit(Segment &) = 0;
    virtual void visit(Group &) = 0;
};

struct Node {
    virtual ~Node() = default;
    virtual void accept(Visitor &) = 0;
};

struct Point : Node {
    double x, y;
    Point(double x, double y) : x(x), y(y) {}
    void accept(Visitor &v) override { v.visit(*this); }
};

struct Segment : Node {
    Point from, to;
    Segment(double a, double b, double c, double d) : from(a, b), to(c, d) {}
    void accept(Visitor &v) override { v.visit(*this); }
};

struct Group : Node {
    std::vector<std::unique_ptr<Node>> members;
    double weight;
    explicit Group(double weight) : weight(weight) {}
    void accept(Visitor &v) override { v.visit(*this); }
};

struct Energy : Visitor {
    double sum = 0.0, weight = 1.0;
    void visit(Point &p) override { sum += weight * (p.x * p.x + std::sin(p.y)); }
    void visit(Segment &s) override
    {
        sum += weight * std::hypot(s.to.x - s.from.x, s.to.y - s.from.y);
        s.from.accept(*this);
    }
    void visit(Group &g) override
    {
        double before = weight;
        weight *= g.weight;
        for (auto &member : g.members)
            member->accept(*this);
        weight = before;
    }
};

struct Shift : Visitor {
    double by;
    explicit Shift(double by) : by(by) {}
    void visit(Point &p) override { p.x += by, p.y *= by; }
    void visit(Segment &s) override { visit(s.from), visit(s.to); }
    void visit(Group &g) override
    {
        for (auto &member : g.members)
            member->accept(*this);
    }
};

extern "C" double objective(const double *x, int n)
{
    Group outer(x[0]);
    auto inner = std::make_unique<Group>(x[1]);
    inner->members.push_back(std::make_unique<Point>(x[2], x[3]));
    inner->members.push_back(std::make_unique<Segment>(x[4], x[5], x[6], x[7]));
    outer.members.push_back(std::move(inner));
    outer.members.push_back(std::make_unique<Point>(x[7], x[2]));
    Shift shift(x[3]);
    outer.accept(shift);
    Energy energy;
    outer.accept(energy);
    return energy.sum;
}

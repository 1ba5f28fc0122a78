"""The classes that every random C++ function has."""

from __future__ import annotations

CLASSES = """struct Point {
    double x, y, z;
    Point operator+(const Point &o) const { return {x + o.x, y + o.y, z + o.z}; }
    Point operator*(double s) const { return {x * s, y * s, z * s}; }
    Point &operator+=(const Point &o) { x += o.x; y += o.y; z += o.z; return *this; }
    double dot(const Point &o) const { return x * o.x + y * o.y + z * o.z; }
};
struct Record {
    int key;
    double value;
    std::vector<double> more;
    Point at;
};
struct Line {
    double slope, shift;
    double operator()(double v) const { return std::tanh(slope * v + shift); }
};
struct Shape {
    int tag = 0;
    virtual ~Shape() = default;
    virtual double measure(double s) const = 0;
    virtual void grow(double s) { tag += s > 0; }
};
struct Ball : Shape {
    double r;
    explicit Ball(double r) : r(r) {}
    double measure(double s) const override { return std::sin(r * s) + 0.1 * tag; }
    void grow(double s) override { r = std::tanh(r + s); }
};
struct Ring : Ball {
    double inner;
    Ring(double r, double inner) : Ball(r), inner(inner) {}
    double measure(double s) const override { return Ball::measure(s) - 0.5 * inner * s; }
};
struct Path : Shape {
    std::vector<double> at;
    explicit Path(std::vector<double> at) : at(std::move(at)) {}
    double measure(double s) const override { double t = s; for (double v : at) t = std::sin(t + v); return t; }
    void grow(double s) override { at.push_back(0.3 * s); }
};
struct Named {
    std::string name;
    virtual ~Named() = default;
    virtual double weight() const { return 0.1 * name.size(); }
};
struct Both : Named, Ball {
    double w;
    Both(double r, double w) : Ball(r), w(w) { name = "both"; }
    double weight() const override { return w * r; }
    double measure(double s) const override { return w * s + Ball::measure(s); }
};
class Buffer {
    int count;
    double *data;

public:
    explicit Buffer(int n, double v = 0) : count(n), data(new double[n]) { std::fill(data, data + n, v); }
    Buffer(const Buffer &o) : count(o.count), data(new double[o.count]) { std::copy(o.data, o.data + count, data); }
    Buffer(Buffer &&o) noexcept : count(std::exchange(o.count, 0)), data(std::exchange(o.data, nullptr)) {}
    Buffer &operator=(Buffer o) noexcept { std::swap(count, o.count); std::swap(data, o.data); return *this; }
    ~Buffer() { delete[] data; }
    double &operator[](int i) { return data[i]; }
    double operator[](int i) const { return data[i]; }
    int size() const { return count; }
    double *begin() { return data; }
    double *end() { return data + count; }
};
struct Node {
    double v;
    std::unique_ptr<Node> left, right;
    void insert(double w) {
        auto &side = w < v ? left : right;
        if (side) side->insert(w);
        else side = std::make_unique<Node>(Node{w, nullptr, nullptr});
    }
    double total() const { return v * (left ? left->total() : 0.4) + 0.5 * std::sin(right ? right->total() : v); }
};
struct Link {
    double v;
    std::shared_ptr<Link> next;
};
template <int R, int C>
struct Matrix {
    double at[R][C];
    double *operator[](int i) { return at[i]; }
    const double *operator[](int i) const { return at[i]; }
    template <int K>
    Matrix<R, K> operator*(const Matrix<C, K> &o) const {
        Matrix<R, K> r{};
        for (int i = 0; i < R; i++)
            for (int j = 0; j < K; j++)
                for (int k = 0; k < C; k++) r[i][j] += at[i][k] * o[k][j];
        return r;
    }
};
template <class D>
struct Curve {
    double at(double s) const { return 0.5 * static_cast<const D *>(this)->shape(s) + 0.2 * s; }
};
struct Wave : Curve<Wave> {
    double k;
    double shape(double s) const { return std::sin(k * s); }
};
using Either = std::variant<double, Point, int>;
struct Weigh {
    double operator()(double v) const { return 0.2 * std::sin(v); }
    double operator()(int k) const { return 0.1 * k; }
    double operator()(const Point &p) const { return 0.3 * p.dot(p); }
};
"""

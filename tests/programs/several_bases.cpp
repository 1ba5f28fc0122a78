// check: array n=6
// Multiple and virtual inheritance: calls through thunks, objects found by offsets in their tables.
#include <cmath>
#include <memory>
#include <vector>

struct Named {
    int number = 0;
    virtual ~Named() = default;
    virtual double rank() const { return number; }
};

struct Priced {
    double price;
    explicit Priced(double price) : price(price) {}
    virtual ~Priced() = default;
    virtual double cost(double amount) const { return price * amount; }
};

struct Plain : Named, Priced {
    explicit Plain(double price) : Priced(price) {}
};

struct Discounted : Named, Priced {
    double rate;
    Discounted(double price, double rate) : Priced(price), rate(rate) {}
    double cost(double amount) const override { return price * amount * std::exp(-rate * amount); }
    double rank() const override { return rate; }
};

struct Base {
    double value;
    explicit Base(double value) : value(value) {}
    virtual ~Base() = default;
    virtual double get() const { return value; }
};

struct Left : virtual Base {
    double left;
    explicit Left(double l) : Base(l), left(l) {}
    double get() const override { return left * value; }
};

struct Right : virtual Base {
    double right;
    explicit Right(double r) : Base(r), right(r) {}
    virtual double other() const { return right + value; }
};

struct Both : Left, Right {
    Both(double v, double l, double r) : Base(v), Left(l), Right(r) {}
    double get() const override { return std::sin(left * right) + value; }
    double other() const override { return right * value; }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<std::unique_ptr<Priced>> goods;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0)
            goods.push_back(std::make_unique<Plain>(x[i]));
        else if (i % 3 == 1)
            goods.push_back(std::make_unique<Discounted>(x[i], x[0]));
        else
            goods.push_back(std::make_unique<Priced>(x[i]));
    }
    for (auto &good : goods)
        sum += good->cost(x[1]);
    for (int i = 0; i < n; i++) {
        std::unique_ptr<Right> right;
        if (i % 2)
            right = std::make_unique<Both>(x[i], x[0], x[1]);
        else
            right = std::make_unique<Right>(x[i]);
        Base *base = right.get();
        sum += right->other() * base->get();
    }
    return sum;
}

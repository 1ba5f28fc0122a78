// check: array n=4 range=0.2:1.5
// Two nodes change places in variants: their pointers are moved as integers.
#include <memory>
#include <utility>
#include <variant>
struct Basket;
using Contract = std::variant<double, std::unique_ptr<Basket>>;
struct Basket { float weight; Contract leg; };
static double price(const Contract &c) { return c.index() ? static_cast<double>(std::get<1>(c)->weight) * price(std::get<1>(c)->leg) : std::get<0>(c); }
static std::unique_ptr<Basket> make(float w, double x)
{
    auto b = std::make_unique<Basket>();
    b->weight = w;
    b->leg = x;
    return b;
}
extern "C" double objective(double *x, int n)
{
    auto book = std::make_unique<Contract[]>(2);
    book[0] = make(0.5f, x[0]);
    book[1] = make(2, x[1]);
    auto other = std::make_unique<Contract[]>(2);
    other[0] = make(4, x[2]);
    other[1] = make(3, x[3]);
    std::swap(book[0], other[1]);
    return price(book[0]) + price(book[1]) * price(other[0]) + 5 * price(other[1]) * n;
}

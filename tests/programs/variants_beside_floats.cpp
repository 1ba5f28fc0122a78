// check: array n=4 range=0.2:1.5 stopped=-O0
// A variant of a number and a pointer beside a float: no word tells at run time what it is.
#include <memory>
#include <variant>
#include <vector>
struct Basket;
using Contract = std::variant<double, std::unique_ptr<Basket>>;
struct Basket { std::vector<std::pair<float, Contract>> legs; };
static double price(const Contract &c) { return c.index() ? 1.0 : std::get<0>(c); }
extern "C" double objective(double *x, int n)
{
    auto b = std::make_unique<Basket>();
    for (int i = 0; i < n; i++)
        b->legs.emplace_back(0.5f, x[i]);
    std::vector<Contract> book;
    book.emplace_back(std::move(b));
    book.emplace_back(x[0]);
    double s = 0;
    for (const auto &c : book)
        s += price(c);
    return s;
}

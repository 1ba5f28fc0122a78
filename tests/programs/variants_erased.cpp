// check: array n=5 range=0.2:1.5 refused=E0110@-O0 stopped=-O1+-O2+-O3
// A pointer is moved, as an integer, over another in a variant beside a float.
#include <memory>
#include <utility>
#include <variant>
#include <vector>
struct Basket;
using Contract = std::variant<double, std::unique_ptr<Basket>>;
struct Basket { float weight; std::vector<std::pair<float, Contract>> legs; };
static double price(const Contract &c)
{
    if (c.index() == 0)
        return std::get<0>(c) * std::get<0>(c);
    double s = 0;
    for (const auto &[w, leg] : std::get<1>(c)->legs)
        s += static_cast<double>(w) * price(leg);
    return s;
}
extern "C" double objective(double *x, int n)
{
    std::vector<Contract> book;
    for (int i = 0; i < n; i++) {
        auto b = std::make_unique<Basket>();
        b->legs.emplace_back(0.5f, x[i]);
        b->legs.emplace_back(0.25f, x[0]);
        book.emplace_back(std::move(b));
        if (i % 2)
            book.emplace_back(x[i]);
    }
    book.erase(book.begin());
    std::swap(book[0], book[1]);
    double s = 0;
    for (const auto &c : book)
        s = 0.5 * s + price(c);
    return s;
}

// check: array n=9 tol=1e-4 identity=1e-6
// Elements of mixed types that are put in front of others, or between them, once they are copied from the same vector
// and once from variables: what moves over for them goes through a union of a byte and an element.
#include <cstdint>
#include <optional>
#include <vector>

namespace {

struct Quote {
    double price;
    long when;
};

struct Trade {
    float amount;
    std::int32_t buyer;
    double price;
};

double value_of(const std::vector<Quote> &quotes) {
    double sum = 0.0;
    for (const Quote &quote : quotes) {
        sum = 0.9 * sum + quote.price * quote.price * (1 + quote.when % 7);
    }
    return sum;
}

// In the order of their times; one that is known already counts twice.
std::vector<Quote> in_order(const double *x, int n) {
    std::vector<Quote> quotes;
    for (int i = 0; i < n; i++) {
        Quote next{x[i], (i * 5L) % 7};
        auto place = quotes.begin();
        while (place != quotes.end() && place->when < next.when) {
            ++place;
        }
        const bool known = place != quotes.end() && place->when == next.when;
        place = quotes.insert(place, next);
        if (known) {
            quotes.insert(place, *(place + 1));
        }
    }
    return quotes;
}

double of_trades(const double *x, int n) {
    std::vector<Trade> trades;
    trades.reserve(3);
    for (int i = 0; i < n; i++) {
        const Trade trade{static_cast<float>(x[i]), i, x[(i + 1) % n]};
        trades.insert(trades.begin() + i / 2, trade);
        if (i % 3 == 1) {
            trades.emplace(trades.begin(), trades.back());
        }
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < trades.size(); i++) {
        sum += trades[i].amount * trades[i].price * (i + 1) + 0.1 * trades[i].buyer * trades[i].price;
    }
    return sum;
}

}  // namespace

extern "C" double objective(const double *x, int n) {
    std::vector<Quote> quotes = in_order(x, n);
    const Quote last = quotes[2];
    quotes.insert(quotes.begin(), last);
    std::optional<Quote> best;
    for (const Quote &quote : quotes) {
        if (!best || quote.when > best->when) {
            best = quote;
        }
    }
    quotes.insert(quotes.begin() + 1, 2, *best);
    return value_of(quotes) + 0.01 * of_trades(x, n);
}

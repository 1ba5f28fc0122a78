// check: array n=20,3 flags=-std=c++20
// Records with numbers of two precisions are sorted by one of their members: a pointer to a member is an offset, which
// goes down to where elements are compared by reference.
#include <algorithm>
#include <functional>
#include <vector>

struct position {
  double weight;
  float beta;
  int lots;
  double price;
};

extern "C" double objective(const double *x, int n) {
  std::vector<position> book;
  for (int i = 0; i < n; i++) book.push_back({x[i] * x[i], 0.5f * (i % 4), 1 + i % 3, x[i] * x[0]});
  std::ranges::sort(book, std::less<>{}, &position::price);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += book[i].price * (i + 1) * book[i].lots + book[n - 1 - i].weight * book[i].beta;
  std::ranges::sort(book, std::greater<>{}, &position::weight);
  for (int i = 0; i < n; i++) sum += book[i].weight * i * book[i].price;
  return sum;
}

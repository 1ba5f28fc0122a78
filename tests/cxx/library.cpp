// Calls what we have bodies for, and prints what it does; the bodies are taken where a request is beside the calls.
#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

template <class Number>
static void sort(const char *name) {
  std::vector<Number> numbers;
  unsigned state = 1;
  for (int i = 0; i < 300; i++) numbers.push_back((Number)((state = state * 1103515245 + 12345) >> 24));
  std::sort(numbers.begin(), numbers.end());
  double sum = 0;
  for (size_t i = 0; i < numbers.size(); i++) sum += (double)i * (double)numbers[i];
  printf("%s %g %d\n", name, sum, std::is_sorted(numbers.begin(), numbers.end()));
}

static void sorts() {
  sort<char>("char");
  sort<wchar_t>("wchar_t");
  sort<signed char>("signed char");
  sort<unsigned char>("unsigned char");
  sort<short>("short");
  sort<unsigned short>("unsigned short");
  sort<int>("int");
  sort<unsigned>("unsigned");
  sort<long>("long");
  sort<unsigned long>("unsigned long");
  sort<long long>("long long");
  sort<unsigned long long>("unsigned long long");
  sort<float>("float");
  sort<double>("double");
  sort<long double>("long double");
}

struct Told {
  const char *name;
  ~Told() { printf("the end of %s\n", name); }
};

static void pointers() {
  auto first = std::make_shared<Told>(Told{"the first"});
  std::weak_ptr<Told> seen = first, also = seen;
  std::shared_ptr<Told> second(new Told{"the second"}, [](Told *told) {
    puts("deleted");
    delete told;
  });
  printf("%ld %ld\n", first.use_count(), second.use_count());
  if (auto again = seen.lock()) printf("%s: %ld\n", again->name, again.use_count());
  first = second;
  printf("%d %d %ld\n", seen.expired(), also.lock() == nullptr, first.use_count());
  first.reset();
  second.reset();
}

template <class Number>
static void numbers() {
  using Limits = std::numeric_limits<Number>;
  for (Number number : {Limits::lowest(), Limits::max(), (Number)0, (Number)-1, (Number)12.345})
    puts(std::to_string(number).c_str());
}

static void strings() {
  std::string text("a text");
  text.insert(2, "longer than what has room inside ").append(3, '!').replace(0, 1, "one").erase(5, 2);
  text.push_back('c');
  std::string copy(text), other;
  other = copy;
  other.resize(40, 'x');
  copy.reserve(200);
  copy.assign("short");
  printf("%s|%s|%s\n", text.c_str(), copy.c_str(), other.c_str());
  printf("%zu %zu %zu\n", text.find("than"), text.rfind('!'), text.find_first_of("xyz"));
  printf("%d %d\n", text.compare("a") < 0, text.compare(0, 3, "one"));
  try {
    text.insert(1000, "behind the end");
  } catch (const std::out_of_range &) {
    puts("out of range");
  }
  try {
    puts(&text.at(1000));
  } catch (const std::out_of_range &) {
    puts("out of range");
  }
  std::wstring wide(L"wide");
  wide.append(L" characters");
  printf("%zu\n", wide.size());
}

#ifdef REQUEST
extern "C" double __enzyme_autodiff(void *, double);
static double square(double x) { return x * x; }
#endif

int main() {
  sorts();
  pointers();
  strings();
  numbers<int>();
  numbers<unsigned>();
  numbers<long>();
  numbers<unsigned long>();
  numbers<long long>();
  numbers<unsigned long long>();
  numbers<float>();
  numbers<double>();
  numbers<long double>();
#ifdef REQUEST
  if (__enzyme_autodiff((void *)square, 3) != 6) return 1;
#endif
  return 0;
}

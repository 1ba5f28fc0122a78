/* Functions that libc++ keeps in its shared library, for derivatives.

   Templates of numbers: libc++'s headers have their text, but leave code of them to the library ("extern template").
   Reference counts of std::shared_ptr: the number of owners is kept less one, so that the last one leaves -1; all owners
   together are one weak owner. What becomes of the object, and of the memory that both counts lie in, the class derived
   from these says.

   Strings: as templates, too. What the library prints a number to is a string of exactly these characters. */
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <typeinfo>

_LIBCPP_BEGIN_NAMESPACE_STD

__shared_count::~__shared_count() {}

__shared_weak_count::~__shared_weak_count() {}

void __shared_weak_count::__release_weak() noexcept {
  if (__libcpp_atomic_refcount_decrement(__shared_weak_owners_) == -1) __on_zero_shared_weak();
}

__shared_weak_count *__shared_weak_count::lock() noexcept {
  long owners = __atomic_load_n(&__shared_owners_, __ATOMIC_RELAXED);
  while (owners != -1)
    if (__atomic_compare_exchange_n(&__shared_owners_, &owners, owners + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      return this;
  return nullptr;
}

const void *__shared_weak_count::__get_deleter(const type_info &) const noexcept { return nullptr; }

// A comparison of our own is none that the library was built for: all that sorts by it is in the header.
template <class Less, class Iterator>
void __sort(Iterator first, Iterator last, Less) {
  std::sort(first, last, [](const auto &left, const auto &right) { return left < right; });
}

#define SORT(T) template void __sort<__less<T> &, T *>(T *, T *, __less<T> &);
SORT(char)
#if _LIBCPP_HAS_WIDE_CHARACTERS
SORT(wchar_t)
#endif
SORT(signed char)
SORT(unsigned char)
SORT(short)
SORT(unsigned short)
SORT(int)
SORT(unsigned)
SORT(long)
SORT(unsigned long)
SORT(long long)
SORT(unsigned long long)
SORT(float)
SORT(double)
SORT(long double)

template class basic_string<char>;
#if _LIBCPP_HAS_WIDE_CHARACTERS
template class basic_string<wchar_t>;
#endif
template string operator+ <char, char_traits<char>, allocator<char>>(const char *, const string &);

template <class Number>
static string printed(const char *format, Number number) {
  string text(snprintf(nullptr, 0, format, number), '\0');
  snprintf(&text[0], text.size() + 1, format, number);
  return text;
}

string to_string(int number) { return printed("%d", number); }
string to_string(unsigned number) { return printed("%u", number); }
string to_string(long number) { return printed("%ld", number); }
string to_string(unsigned long number) { return printed("%lu", number); }
string to_string(long long number) { return printed("%lld", number); }
string to_string(unsigned long long number) { return printed("%llu", number); }
string to_string(float number) { return printed("%f", number); }
string to_string(double number) { return printed("%f", number); }
string to_string(long double number) { return printed("%Lf", number); }

_LIBCPP_END_NAMESPACE_STD

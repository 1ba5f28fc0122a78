// check: array n=6
// Containers that check their indices, and write to a stream and throw where one is wrong: functions out of line, which
// work on numbers and, on a way that is not taken, on streams and what these lead to.
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <vector>

#define CHECK(what, error)                                                                                             \
    if (!(what)) {                                                                                                     \
        std::cerr << "Check failed in line " << __LINE__ << ":" << std::endl;                                          \
        std::cerr << #what << std::endl;                                                                               \
        error.raise();                                                                                                 \
    }

namespace {

bool lenient = false;

struct Fault : std::logic_error {
    explicit Fault(const char *what) : std::logic_error(what) {}
    virtual void raise()
    {
        if (!lenient)
            throw *this;
    }
};

struct BadIndex : Fault {
    explicit BadIndex(const char *what = "bad index") : Fault(what) {}
    void raise() override { throw *this; }
};

template <class T> __attribute__((noinline)) const T &same(const T &a, const T &b, const char *file, int line)
{
    if (a != b) {
        std::cerr << "Check failed in file " << file << " at line " << line << ":" << std::endl;
        Fault("sizes").raise();
    }
    return a < b ? a : b;
}

class Matrix {
    std::size_t rows_, columns_;
    std::vector<double> data_;

public:
    Matrix(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), data_(rows * columns) {}

    __attribute__((noinline)) double &operator()(std::size_t i, std::size_t j)
    {
        CHECK(i < rows_, BadIndex())
        CHECK(j < columns_, BadIndex())
        return data_[i * columns_ + j];
    }

    __attribute__((noinline)) void swap_rows(std::size_t a, std::size_t b)
    {
        CHECK(a < rows_ && b < rows_, BadIndex("rows"))
        const std::size_t count = same(columns_, data_.size() / rows_, __FILE__, __LINE__);
        for (std::size_t j = 0; j < count; j++)
            std::swap((*this)(a, j), (*this)(b, j));
    }

    __attribute__((noinline)) void scale(std::size_t i, double factor, std::ostream &log)
    {
        if (factor == 0.0)
            log << "row " << i << " is lost" << std::endl;
        for (std::size_t j = 0; j < columns_; j++)
            (*this)(i, j) *= factor;
    }
};

} // namespace

extern "C" double objective(const double *x, int n)
{
    CHECK(n > 2, Fault("too small"))
    Matrix a(3, n);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            a(i, j) = std::sin(x[j] * (i + 1));
    a.swap_rows(0, 2);
    CHECK(a(0, 0) < 10.0, Fault("too large"))
    for (int i = 0; i < 3; i++)
        a.scale(i, x[i] + 2.0, std::clog);
    double sum = 0.0;
    for (int j = 0; j < n; j++)
        sum += a(0, j) * a(1, (j + 1) % n) - a(2, j);
    return sum;
}

// check: array n=6
// A buffer class with copy and move, constructed, returned and assigned.
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t n) : data_(new double[n]()), size_(n) {}
    Buffer(const Buffer &o) : Buffer(o.size_)
    {
        for (std::size_t i = 0; i < size_; i++)
            data_[i] = o.data_[i];
    }
    Buffer(Buffer &&o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
    Buffer &operator=(Buffer o) noexcept
    {
        std::swap(data_, o.data_);
        std::swap(size_, o.size_);
        return *this;
    }
    ~Buffer() { delete[] data_; }
    double &operator[](std::size_t i) { return data_[i]; }
    std::size_t size() const { return size_; }

  private:
    double *data_ = nullptr;
    std::size_t size_ = 0;
};

static Buffer scaled(Buffer b, double factor)
{
    for (std::size_t i = 0; i < b.size(); i++)
        b[i] *= factor;
    return b;
}

extern "C" double objective(const double *x, int n)
{
    Buffer first(n);
    for (int i = 0; i < n; i++)
        first[i] = x[i] * x[i];
    Buffer second = scaled(first, x[0]);
    std::vector<Buffer> all;
    all.push_back(std::move(first));
    all.push_back(scaled(second, x[1]));
    first = std::move(all[1]);
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += std::sin(first[i]) * all[0][i] + second[i];
    return sum;
}

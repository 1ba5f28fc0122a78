// check: array n=7
// A class with private state, a constructor and a destructor that frees.
#include <cmath>

class Filter {
    double *taps_;
    int count_;
    double gain_ = 1.0;

  public:
    Filter(const double *taps, int count) : taps_(new double[count]), count_(count)
    {
        for (int i = 0; i < count; i++)
            taps_[i] = taps[i];
    }
    ~Filter() { delete[] taps_; }
    Filter(const Filter &) = delete;
    Filter &operator=(const Filter &) = delete;
    void normalise()
    {
        double sum = 0.0;
        for (int i = 0; i < count_; i++)
            sum += taps_[i];
        gain_ = 1.0 / sum;
    }
    double apply(const double *signal) const
    {
        double sum = 0.0;
        for (int i = 0; i < count_; i++)
            sum += taps_[i] * signal[i];
        return gain_ * sum;
    }
};

extern "C" double objective(const double *x, int n)
{
    Filter filter(x, 3);
    filter.normalise();
    double sum = 0.0;
    for (int i = 0; i + 3 <= n; i++)
        sum += std::exp(filter.apply(x + i));
    return sum;
}

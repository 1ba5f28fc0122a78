// check: array n=13
// A dense matrix class with copy, move and expression-like use: one step of a Kalman filter.
#include <utility>
#include <vector>

class Matrix {
    int rows_, cols_;
    std::vector<double> data_;

  public:
    Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
    double &operator()(int i, int j) { return data_[i * cols_ + j]; }
    double operator()(int i, int j) const { return data_[i * cols_ + j]; }
    Matrix operator*(const Matrix &o) const
    {
        Matrix out(rows_, o.cols_);
        for (int i = 0; i < rows_; i++)
            for (int k = 0; k < cols_; k++)
                for (int j = 0; j < o.cols_; j++)
                    out(i, j) += (*this)(i, k) * o(k, j);
        return out;
    }
    Matrix operator+(const Matrix &o) const
    {
        Matrix out = *this;
        for (std::size_t i = 0; i < data_.size(); i++)
            out.data_[i] += o.data_[i];
        return out;
    }
    Matrix transposed() const
    {
        Matrix out(cols_, rows_);
        for (int i = 0; i < rows_; i++)
            for (int j = 0; j < cols_; j++)
                out(j, i) = (*this)(i, j);
        return out;
    }
};

extern "C" double objective(const double *x, int n)
{
    Matrix f(2, 2), p(2, 2), q(2, 2), state(2, 1);
    for (int i = 0; i < 4; i++) {
        f(i / 2, i % 2) = x[i];
        p(i / 2, i % 2) = x[4 + i];
        q(i / 2, i % 2) = i % 3 ? 0.0 : x[8 + i / 3];
    }
    state(0, 0) = x[10];
    state(1, 0) = x[11];
    for (int step = 0; step < 3; step++) {
        state = f * state;
        p = f * p * f.transposed() + q;
        double gain = p(0, 0) / (p(0, 0) + 1.0), innovation = x[12] - state(0, 0);
        state(0, 0) += gain * innovation;
        state(1, 0) += p(1, 0) / (p(0, 0) + 1.0) * innovation;
    }
    return state(0, 0) * state(1, 0) + p(1, 1);
}

// check: array n=12
// Views with strides: sub-blocks, transposed and reversed axes. Temporary views live in each round of a loop.
#include <array>
#include <functional>
#include <vector>

template <std::size_t D> struct View {
    double *data;
    std::array<long, D> lengths, strides;

    double &operator()(std::array<long, D> at) const
    {
        double *element = data;
        for (std::size_t k = 0; k < D; k++)
            element += at[k] * strides[k];
        return *element;
    }

    auto operator[](long i) const
    {
        if constexpr (D == 1) {
            return std::ref(data[i * strides[0]]);
        } else {
            View<D - 1> rest{data + i * strides[0], {}, {}};
            for (std::size_t k = 1; k < D; k++) {
                rest.lengths[k - 1] = lengths[k];
                rest.strides[k - 1] = strides[k];
            }
            return rest;
        }
    }

    View swapped(int a, int b) const
    {
        View view = *this;
        std::swap(view.lengths[a], view.lengths[b]);
        std::swap(view.strides[a], view.strides[b]);
        return view;
    }

    View part(int axis, long from, long length, long step = 1) const
    {
        View view = *this;
        view.data += from * strides[axis];
        view.lengths[axis] = length;
        view.strides[axis] *= step;
        return view;
    }

    View reversed(int axis) const
    {
        View view = *this;
        view.data += (lengths[axis] - 1) * strides[axis];
        view.strides[axis] = -strides[axis];
        return view;
    }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<double> numbers(24);
    for (int i = 0; i < 24; i++)
        numbers[i] = x[i % n] + 0.1 * i * x[i % 12];
    View<3> cube{numbers.data(), {2, 3, 4}, {12, 4, 1}};
    auto turned = cube.swapped(0, 2).reversed(1);
    for (long i = 0; i < 4; i++)
        for (long j = 0; j < 3; j++)
            turned({i, j, 0}) *= turned[i][j][1];
    auto corner = cube.part(2, 1, 2, 2).part(1, 0, 2);
    double sum = 0;
    for (long i = 0; i < 2; i++)
        for (long j = 0; j < 2; j++)
            for (long k = 0; k < 2; k++)
                sum += corner[i][j][k] * corner({k, j, i}) * (1 + i);
    auto row = cube[1][2];
    for (long k = 0; k < 4; k++)
        sum += row[k] * row[3 - k];
    return sum;
}

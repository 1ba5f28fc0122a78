// check: array n=6
// shared_ptr to a base: reference counts, control blocks with virtual functions, dynamic_pointer_cast.
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Layer {
    virtual ~Layer() = default;
    virtual std::vector<double> run(const std::vector<double> &in) const = 0;
};

struct Dense : Layer {
    std::vector<double> weights;
    int rows, columns;
    Dense(const double *w, int n, int rows, int columns) : weights(rows * columns), rows(rows), columns(columns)
    {
        for (int i = 0; i < rows * columns; i++)
            weights[i] = w[i % n] * (i % 2 ? 0.5 : -0.25);
    }
    std::vector<double> run(const std::vector<double> &in) const override
    {
        std::vector<double> out(rows);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < columns; j++)
                out[i] += weights[i * columns + j] * in[j];
        return out;
    }
};

struct Tanh : Layer {
    std::vector<double> run(const std::vector<double> &in) const override
    {
        std::vector<double> out(in);
        for (double &v : out)
            v = std::tanh(v);
        return out;
    }
};

struct Residual : Layer {
    std::shared_ptr<Layer> inner;
    double scale;
    Residual(std::shared_ptr<Layer> inner, double scale) : inner(std::move(inner)), scale(scale) {}
    std::vector<double> run(const std::vector<double> &in) const override
    {
        std::vector<double> out = inner->run(in);
        for (size_t i = 0; i < out.size(); i++)
            out[i] = in[i] + scale * out[i];
        return out;
    }
};

extern "C" double objective(const double *x, int n)
{
    std::vector<std::shared_ptr<Layer>> network;
    auto dense = std::make_shared<Dense>(x, n, 3, 3);
    auto bent = std::make_shared<Tanh>();
    network.push_back(dense);
    network.push_back(bent);
    network.push_back(std::make_shared<Residual>(dense, x[2]));
    network.push_back(bent);
    std::vector<double> v(x, x + 3);
    for (auto &layer : network)
        v = layer->run(v);
    return v[0] * v[1] + v[2];
}

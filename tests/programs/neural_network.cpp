// check: array n=22 range=-0.8:0.8
// A multilayer perceptron whose layers are objects in a vector, trained weights in one array.
#include <cmath>
#include <vector>

class Layer {
  public:
    Layer(const double *weights, int inputs, int outputs) : weights_(weights), inputs_(inputs), outputs_(outputs) {}
    std::vector<double> forward(const std::vector<double> &in) const
    {
        std::vector<double> out(outputs_);
        for (int o = 0; o < outputs_; o++) {
            const double *row = weights_ + o * (inputs_ + 1);
            double sum = row[inputs_];
            for (int i = 0; i < inputs_; i++)
                sum += row[i] * in[i];
            out[o] = std::tanh(sum);
        }
        return out;
    }
    int size() const { return outputs_ * (inputs_ + 1); }

  private:
    const double *weights_;
    int inputs_, outputs_;
};

extern "C" double objective(const double *x, int n)
{
    std::vector<Layer> layers;
    const double *at = x;
    for (auto [in, out] : {std::pair{2, 3}, std::pair{3, 2}, std::pair{2, 1}}) {
        layers.emplace_back(at, in, out);
        at += layers.back().size();
    }
    static const double samples[4][3] = {{0, 0, 0.5}, {0, 1, -0.5}, {1, 0, -0.5}, {1, 1, 0.5}};
    double loss = 0.0;
    for (const auto &s : samples) {
        std::vector<double> v{s[0], s[1]};
        for (const Layer &layer : layers)
            v = layer.forward(v);
        loss += (v[0] - s[2]) * (v[0] - s[2]);
    }
    return loss + 0.01 * x[n - 1];
}

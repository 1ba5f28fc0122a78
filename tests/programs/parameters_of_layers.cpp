// check: array n=4 range=0.3:0.9 tol=1e-6 flags=-std=c++20
#include <cmath>
#include <memory>
#include <vector>
struct Parameter { std::vector<float> stored; std::vector<double> gradient; };
struct Layer { virtual ~Layer() = default; virtual double forward(double in) = 0; };
struct Dense : Layer {
    Parameter p_[2];
    explicit Dense(int n) { p_[0].stored.resize(n); p_[1].stored.resize(1); for (auto &p : p_) { for (auto &s : p.stored) s = 0.25f; p.gradient.resize(p.stored.size()); } }
    double forward(double in) override { double s = p_[1].stored[0]; for (float w : p_[0].stored) s += w * in * in; for (auto &g : p_[0].gradient) g += s; return s; }
};
struct Tanh : Layer { double forward(double in) override { return std::tanh(in); } };
extern "C" double objective(double *x, int n) {
    std::vector<std::unique_ptr<Layer>> layers;
    layers.push_back(std::make_unique<Dense>(3)); layers.push_back(std::make_unique<Tanh>());
    double sum = 0;
    for (int i = 0; i < n; i++) { double h = x[i]; for (auto &l : layers) h = l->forward(h); sum += h * h; }
    return sum;
}

#pragma once
#include "ba.h"
#include "problem_base.hpp"

extern "C" decltype(ba_jacobian) ba_jacobian_by_hand;

// The "gradient" is the dense 2 x 15 Jacobian of each observation.
struct Problem : ProblemBase<decltype(&ba_jacobian)> {
    static constexpr Gradient generated = ba_jacobian, hand = ba_jacobian_by_hand;
    static constexpr int per_block = BA_RESIDUALS;
    int count = 10000, cameras = 50, points = 2000;
    std::vector<double> feature;

    Problem()
    {
        Random r(2);
        std::vector<double> cam(cameras * BA_CAMERA), pt(points * 3);
        for (int c = 0; c < cameras; c++) {
            double *v = &cam[c * BA_CAMERA];
            for (int i = 0; i < 3; i++)
                v[i] = 0.3 * r.normal();
            for (int i = 3; i < 6; i++)
                v[i] = 0.2 * r.normal();
            v[6] = 500.0 + 10.0 * r.normal();
            v[7] = r.normal();
            v[8] = r.normal();
            v[9] = 0.05 * r.normal();
            v[10] = 0.01 * r.normal();
        }
        for (int p = 0; p < points; p++) {
            pt[3 * p] = r.normal();
            pt[3 * p + 1] = r.normal();
            pt[3 * p + 2] = 8.0 + r.normal();
        }
        for (int o = 0; o < count; o++) {
            const double *v = &cam[int(r.uniform() * cameras) * BA_CAMERA];
            const double *q = &pt[int(r.uniform() * points) * 3];
            x.insert(x.end(), v, v + BA_CAMERA);
            x.insert(x.end(), q, q + 3);
            x.push_back(0.5 + r.uniform());
            feature.push_back(20.0 * r.normal());
            feature.push_back(20.0 * r.normal());
        }
    }
    int blocks() const { return count; }
    std::vector<double> constants() const { return feature; }
    std::size_t outputs() const { return std::size_t(count) * BA_RESIDUALS * BA_INPUTS; }
    void residual(int o, const double *at, double *error) const
    {
        ba_residual(at, at + 11, at[14], &feature[2 * o], error);
    }
    double primal() const
    {
        double sum = 0.0;
        for (int o = 0; o < count; o++) {
            double error[BA_RESIDUALS];
            residual(o, &x[o * BA_INPUTS], error);
            sum += error[0] + error[1];
        }
        return sum;
    }
    void gradient(Gradient f, double *g) const
    {
        for (int o = 0; o < count; o++) {
            const double *at = &x[o * BA_INPUTS];
            f(at, at + 11, at[14], &feature[2 * o], g + o * BA_RESIDUALS * BA_INPUTS);
        }
    }
};

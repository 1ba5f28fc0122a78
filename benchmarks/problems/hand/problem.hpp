#pragma once
#include "hand.h"
#include "problem_base.hpp"
#include <cmath>

extern "C" decltype(hand_gradient) hand_gradient_by_hand;

struct Problem : ProblemBase<decltype(&hand_gradient)> {
    static constexpr Gradient generated = hand_gradient, hand = hand_gradient_by_hand;
    int vertices = 544, points = 1000;
    std::vector<int> parent, corner;
    std::vector<double> rest, inverse, vertex, weight, measured;

    Problem()
    {
        Random r(14);
        fill(HAND_POSE, [&] { return 0.3 * r.normal(); });
        for (int b = 0; b < HAND_BONES; b++)
            add_bone(b < 2 ? b - 1 : (b - 2) % 4 ? b - 1 : 1, 0.2 * r.normal(), r);
        for (int v = 0; v < vertices; v++)
            add_vertex(r);
        for (int p = 0; p < points; p++) {
            x.insert(x.end(), {r.uniform(), r.uniform()});
            for (int i = 0; i < 3; i++) {
                corner.push_back(int(r.uniform() * vertices));
                measured.push_back(2.0 * r.normal());
            }
        }
    }
    hand_model model() const
    {
        return {vertices,      points,        parent.data(), rest.data(),    inverse.data(),
                vertex.data(), weight.data(), corner.data(), measured.data()};
    }
    std::vector<double> constants() const
    {
        std::vector<double> all(parent.begin(), parent.end());
        for (const auto *part : {&rest, &inverse, &vertex, &weight, &measured})
            all.insert(all.end(), part->begin(), part->end());
        all.insert(all.end(), corner.begin(), corner.end());
        return all;
    }
    double primal() const
    {
        const hand_model m = model();
        return hand_objective(&m, x.data(), x.data() + HAND_POSE);
    }
    void gradient(Gradient f, double *g) const
    {
        const hand_model m = model();
        f(&m, x.data(), x.data() + HAND_POSE, g, g + HAND_POSE);
    }

  private:
    // A bone turned about y against its parent, and what undoes that of it and of all before it.
    void add_bone(int before, double angle, Random &r)
    {
        const double c = std::cos(angle), s = std::sin(angle), t[3] = {0.3 * r.normal(), 1.0 + 0.1 * r.normal(), 0.1 * r.normal()};
        parent.push_back(before);
        rest.insert(rest.end(), {c, 0.0, s, t[0], 0.0, 1.0, 0.0, t[1], -s, 0.0, c, t[2]});
        const double own[12] = {c, 0.0, -s, s * t[2] - c * t[0], 0.0, 1.0, 0.0, -t[1], s, 0.0, c, -s * t[0] - c * t[2]};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 4; j++) {
                const double *up = before < 0 ? nullptr : &inverse[12 * before];
                double sum = up && j < 3 ? 0.0 : own[4 * i + j];
                for (int k = 0; up && k < 3; k++)
                    sum += own[4 * i + k] * up[4 * k + j];
                inverse.push_back(sum);
            }
    }
    void add_vertex(Random &r)
    {
        double all[HAND_BONES] = {}, total = 0.0;
        for (int k = 0; k < 4; k++)
            all[int(r.uniform() * HAND_BONES)] += 0.1 + r.uniform();
        for (int i = 0; i < 3; i++)
            vertex.push_back(r.normal());
        for (double w : all)
            total += w;
        for (double w : all)
            weight.push_back(w / total);
    }
};

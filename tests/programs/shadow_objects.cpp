// check: main
// A shadow of an object with virtual functions: a copy of it whose numbers are zero.
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

struct Model {
    virtual ~Model() = default;
    virtual double predict(double t) const = 0;
};

struct Line : Model {
    double slope, offset;
    Line(double slope, double offset) : slope(slope), offset(offset) {}
    double predict(double t) const override { return slope * t + offset; }
};

struct Wave : Model {
    double amplitude;
    int harmonics;
    Wave(double amplitude, int harmonics) : amplitude(amplitude), harmonics(harmonics) {}
    double predict(double t) const override
    {
        double sum = 0.0;
        for (int k = 1; k <= harmonics; k++)
            sum += amplitude * std::sin(k * t) / k;
        return sum;
    }
};

struct Mixed : Model {
    Line line;
    Wave wave;
    const Model *parts[2];
    Mixed(const Line &l, const Wave &w) : line(l), wave(w), parts{&line, &wave} {}
    double predict(double t) const override { return parts[0]->predict(t) * parts[1]->predict(t); }
};

static double loss(const Model *model, const double *t, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double d = model->predict(t[i]) - 1.0;
        sum += d * d;
    }
    return sum;
}

int enzyme_dup, enzyme_const;
template <typename... T> double __enzyme_autodiff(double (*)(const Model *, const double *, int), T...);
template <typename... T> double __enzyme_fwddiff(double (*)(const Model *, const double *, int), T...);

static int wrong;

static void expect(const char *what, double found, double expected)
{
    if (std::fabs(found - expected) > 1e-6 * (1.0 + std::fabs(expected))) {
        std::printf("%s: %.12g, expected %.12g\n", what, found, expected);
        wrong = 1;
    }
}

static double difference(double &number, const Model *model, const double *t, int n)
{
    const double step = 1e-5, at = number;
    number = at + step;
    double above = loss(model, t, n);
    number = at - step;
    double below = loss(model, t, n);
    number = at;
    return (above - below) / (2 * step);
}

int main()
{
    const double t[4] = {0.1, 0.7, 1.3, 2.1};
    Line line(0.4, 1.5);
    Line dline(line);
    dline.slope = dline.offset = 0.0;
    __enzyme_autodiff(loss, enzyme_dup, static_cast<const Model *>(&line), static_cast<const Model *>(&dline),
                      enzyme_const, &t[0], enzyme_const, 4);
    expect("slope", dline.slope, difference(line.slope, &line, t, 4));
    expect("offset", dline.offset, difference(line.offset, &line, t, 4));

    Wave wave(0.8, 3);
    Mixed mixed(line, wave), dmixed(line, wave);
    dmixed.line.slope = dmixed.line.offset = dmixed.wave.amplitude = 0.0;
    __enzyme_autodiff(loss, enzyme_dup, static_cast<const Model *>(&mixed), static_cast<const Model *>(&dmixed),
                      enzyme_const, &t[0], enzyme_const, 4);
    expect("mixed slope", dmixed.line.slope, difference(mixed.line.slope, &mixed, t, 4));
    expect("mixed amplitude", dmixed.wave.amplitude, difference(mixed.wave.amplitude, &mixed, t, 4));

    // A tangent may stand in an object whose table is not even there.
    Wave other(0.8, 3);
    alignas(Wave) char memory[sizeof(Wave)] = {};
    reinterpret_cast<Wave *>(memory)->amplitude = 1.0;
    double tangent = __enzyme_fwddiff(loss, enzyme_dup, static_cast<const Model *>(&other),
                                      reinterpret_cast<const Model *>(memory), enzyme_const, &t[0], enzyme_const, 4);
    expect("amplitude", tangent, difference(other.amplitude, &other, t, 4));
    return wrong;
}

// check: array n=6
// Named operations in maps: std::function, plain function pointers.
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

static double cube(double v)
{
    return v * v * v;
}

extern "C" double objective(const double *x, int n)
{
    std::map<std::string, std::function<double(double, double)>> operations;
    double scale = x[0];
    operations["add"] = [](double a, double b) { return a + b; };
    operations["multiply"] = [scale](double a, double b) { return scale * a * b; };
    operations["power"] = [](double a, double b) { return std::pow(a, b); };
    std::unordered_map<int, double (*)(double)> functions{{0, cube}, {1, std::sqrt}, {2, std::exp}};
    const char *program[] = {"add", "multiply", "power", "multiply"};
    double value = 1.0;
    for (int i = 0; i < n; i++) {
        value = operations.at(program[i % 4])(x[i], value);
        value = 0.5 * functions[i % 3](0.1 * value) + 1.0;
    }
    return value;
}

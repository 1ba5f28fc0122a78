// check: array n=5
// What the C++ library does beside the numbers: streams, strings, clocks, exceptions, guards, type information, random.
#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <cmath>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <vector>

struct Settings {
    std::map<std::string, int> numbers{{"power", 2}, {"shift", 1}};
    std::unordered_map<int, std::string> names{{1, "one"}, {2, "two"}};
};

static const Settings &settings()
{
    static const Settings only;
    return only;
}

struct Shape {
    virtual ~Shape() = default;
};
struct Square : Shape {
};

static double checked(double a, int at, int n)
{
    if (at < 0 || at >= n)
        throw std::out_of_range("index " + std::to_string(at) + " of " + std::to_string(n));
    return a * std::pow(a, settings().numbers.at("power"));
}

extern "C" double objective(const double *x, int n)
{
    static std::once_flag flag;
    static std::mutex mutex;
    std::call_once(flag, [] { std::clog << ""; });
    std::lock_guard<std::mutex> hold(mutex);
    auto start = std::chrono::steady_clock::now();
    std::mt19937 generator(42);
    std::uniform_int_distribution<int> dice(1, 6);
    std::uniform_real_distribution<double> real(0.5, 1.5);
    std::normal_distribution<double> normal;
    std::vector<int> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return x[a] < x[b]; });
    std::ostringstream out;
    out << std::setprecision(3) << std::fixed;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double y = checked(x[order[i]], i, n) * real(generator) + dice(generator) * x[i] + 0 * normal(generator);
        out << "y = " << y << std::setw(10) << i << ", " << std::hex << i << std::endl;
        assert(std::isfinite(y));
        sum += y * settings().names.at(1 + i % 2).size();
    }
    std::unique_ptr<Shape> shape = std::make_unique<Square>();
    const Shape &seen = *shape;
    if (typeid(seen) == typeid(Square) && out.str().find("y = ") != std::string::npos)
        sum += x[0] * std::stoi("12") + std::stod("0.5") * x[1];
    auto taken = std::chrono::steady_clock::now() - start;
    if (std::chrono::duration<double>(taken).count() > 3600 || std::numeric_limits<double>::digits != 53)
        throw std::runtime_error("slow");
    return sum;
}

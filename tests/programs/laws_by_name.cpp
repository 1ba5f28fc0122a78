// check: array n=5,2,0
// Functions of different sizes in a map: what they hold is swapped as bytes, or as the pointer to it.
#include <cmath>
#include <functional>
#include <map>
#include <string>

using Law = std::function<double(double)>;

extern "C" double objective(const double *x, int n) {
    std::map<std::string, Law> laws;
    for (int i = 0; i < n; i++) {
        const std::string name = std::string(1, static_cast<char>('a' + i % 3)) + " law";
        const Law old = laws.count(name) ? laws[name] : Law([](double t) { return t; });
        if (i % 2)
            laws[name] = [stiffness = x[i], offset = x[0], i](double t) { return stiffness * t * t + offset + i; };
        else
            laws[name] = [old, factor = x[i]](double t) { return std::sin(factor * old(t)); };
    }
    if (n > 2)
        std::swap(laws["a law"], laws["b law"]);
    double sum = 0;
    for (auto &[name, law] : laws)
        sum += law(0.5) * law(1.5) * name.size();
    return sum;
}

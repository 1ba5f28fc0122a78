// check: array n=6,3 range=0.5:2 flags=-std=c++20
// Since C++20 the functions of strings are compiled with the program, and work on objects that numbers lie beside.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

struct Parameter {
    std::string name;
    double value;
};

static std::string label(int i) {
    std::string name = (i % 2 != 0 ? "rate of the reaction number " : "k") + std::to_string(i);
    if (name.starts_with('k'))
        name.insert(0, "constant ").append(3, '!').erase(name.size() - 1);
    return name;
}

extern "C" double objective(double *x, int n) {
    std::vector<Parameter> parameters;
    for (int i = 0; i < n; i++)
        parameters.push_back({label(i), x[i] * x[i]});
    std::map<std::string, double, std::less<>> table;
    for (const Parameter &p : parameters)
        table[p.name] = p.value;
    parameters[0].name.assign(static_cast<std::size_t>(n) * 5, 'c');
    parameters[1].name.resize(4);
    std::swap(parameters[0], parameters[1]);
    double sum = 0;
    for (const auto &[name, value] : table)
        if (std::string_view(name).ends_with("!") || name.find("number") != std::string::npos)
            sum += value * value * static_cast<double>(name.size());
    for (const Parameter &p : parameters)
        sum += p.value * static_cast<double>(p.name.size() + p.name.compare("rate"));
    return sum + parameters[0].value * table.find("constant k2!!")->second;
}

// check: array n=4 flags=-std=c++23
// Since C++20 the functions of strings are part of the program: structs, nodes and variants have strings beside numbers.
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>
struct Site { std::string element; double place[3]; std::optional<double> occupancy; unsigned short copies = 1; };
struct Lens { double focal; std::string label; };
struct Gap { double length; double index = 1.0; };
using Element = std::variant<Gap, Lens>;
static double total(const std::vector<Element> &all)
{
    double s = 0;
    for (const auto &e : all)
        s += std::visit([](auto &q) { if constexpr (requires { q.focal; }) return q.focal * q.focal; else return q.length * 2; }, e);
    return s;
}
extern "C" double objective(const double *x, int n)
{
    std::map<std::string, std::vector<std::pair<double, double>>> table;
    table["Na"] = {{1.2, 0.4}, {0.5 + x[0], 0.1}};
    table["a name that is longer than the buffer"] = {{2.0, 0.3 * x[1]}, {0.4, 0.8}};
    std::multimap<std::string, Site> sites;
    sites.emplace("Na", Site{"Na", {0, 0.1 * x[0], 0}, std::nullopt, 2});
    for (int i = 1; i < n; i++) {
        Site site{std::string(1, char('a' + i)), {0, 0.1 * x[i], x[2]}, x[n - 1], 2};
        auto element = site.element;
        sites.emplace(element, std::move(site));
    }
    const auto copies = sites;
    std::vector<Element> bench;
    for (int i = 0; i < n; i++)
        if (i % 2)
            bench.emplace_back(Lens{x[i], "name"});
        else
            bench.emplace_back(Gap{x[i]});
    std::vector<Element> tuned = bench;
    for (auto &e : tuned)
        if (auto lens = std::get_if<Lens>(&e)) {
            lens->focal *= 1.5;
            lens->label += "*";
        }
    double s = total(bench) + std::sin(total(tuned));
    for (const auto &[name, pairs] : table)
        for (const auto &[a, b] : pairs)
            s += a * b * (name == "Na" ? 2 : 1);
    for (const auto &[name, site] : copies)
        s += site.place[1] * site.occupancy.value_or(1.5) * site.copies + site.place[2] * static_cast<double>(name.size());
    return s;
}

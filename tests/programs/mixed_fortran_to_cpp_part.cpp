#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {
struct table {
    std::string label;
    std::map<int, std::vector<double>> rows;
};
}  // namespace

extern "C" {
void *table_new(const char *label)
{
    return new table{label, {}};
}

void table_add(void *t, int key, double value)
{
    static_cast<table *>(t)->rows[key].push_back(value);
}

double table_sum(void *t, const double *power)
{
    double sum = 0;
    for (const auto &[key, row] : static_cast<table *>(t)->rows)
        for (double v : row)
            sum += (key + 1) * std::pow(v, *power);
    return sum;
}

void table_free(void *t)
{
    delete static_cast<table *>(t);
}
}

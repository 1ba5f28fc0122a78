// check: array n=5,7
// A memo of intermediate results in a static map, whose entries are of the call that made or renewed them.
#include <map>

namespace {
struct Entry {
    int call;
    double value;
};

std::map<int, Entry> memo;
int calls;

double path(const double *x, int i, int n)
{
    if (i >= n)
        return 1.0;
    auto found = memo.find(i);
    if (found != memo.end() && found->second.call == calls)
        return found->second.value;
    double value = x[i] * path(x, i + 1, n) + 0.5 * path(x, i + 2, n);
    memo[i] = {calls, value};
    return value;
}
}

extern "C" double objective(const double *x, int n)
{
    calls++;
    double sum = path(x, 0, n);
    for (const auto &[i, entry] : memo)
        if (entry.call == calls)
            sum += i * entry.value;
    return sum;
}

// check: array n=4
// Strings built on the way from integers and names; numbers go through a struct that also holds a string.
#include <cmath>
#include <map>
#include <string>
#include <vector>

struct Account {
    std::string owner;
    double balance;
    std::vector<double> history;
};

extern "C" double objective(const double *x, int n)
{
    std::map<std::string, Account> accounts;
    for (int i = 0; i < n; i++) {
        std::string name = std::string(i % 2 ? "ann" : "bob") + "-the-very-long-name-" + std::to_string(i / 2);
        Account &a = accounts[name];
        a.owner = name.substr(0, 3);
        a.balance += x[i] * (1.0 + static_cast<double>(name.size()) / 100.0);
        a.history.push_back(a.balance * x[0]);
    }
    double sum = 0.0;
    for (auto &[name, a] : accounts) {
        a.balance *= a.owner == "ann" ? 1.1 : 0.9;
        for (double h : a.history)
            sum += h * a.balance;
    }
    return sum;
}

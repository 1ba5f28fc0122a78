// check: array n=5
// Words read from text as keys of hash tables, of numbers and of counts.
#include <unordered_map>
#include <string>
#include <sstream>
#include <vector>
extern "C" double objective(const double *x, int n)
{
    std::unordered_map<std::string, double> score;
    std::unordered_map<std::string, int> count;
    std::istringstream text("the cat sat on the mat and the dog sat too on cat");
    std::string word;
    int k = 0;
    while (text >> word) {
        count[word]++;
        score[word] += x[k % n] * count[word];
        k++;
    }
    double sum = 0.0;
    for (const auto &[w, s] : score)
        sum += s * s * (double)w.size() / (1 + count.at(w));
    auto it = score.find("cat");
    if (it != score.end()) sum += it->second;
    score.erase("the");
    for (auto &p : score) sum += 0.1 * p.second;
    return sum;
}

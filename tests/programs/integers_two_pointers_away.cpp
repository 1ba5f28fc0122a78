// check: array n=6 refused=E0113@-O2-fno-inline
// Containers behind a reference in an object behind a unique_ptr beside numbers: priority queue, set, deque, string.
#include <queue>
#include <set>
#include <string>
#include <memory>
#include <vector>
#include <functional>
struct Agenda { std::priority_queue<int, std::vector<int>, std::greater<int>> open; std::deque<int> trail; std::string log; };
struct Board { Agenda &agenda; std::multiset<int> &marks; };
struct Solver { std::unique_ptr<Board> board; std::vector<double> t; const double *x; };
__attribute__((noinline)) static void relax(Solver &s, int n) {
    while (!s.board->agenda.open.empty()) {
        int i = s.board->agenda.open.top(); s.board->agenda.open.pop();
        s.board->agenda.trail.push_front(i); s.board->agenda.log += (char)('0' + i); s.board->marks.insert(i % 2);
        s.t[i] += s.x[i] * s.x[i] * (double)s.board->marks.size();
        if (2 * i + 1 < n) s.board->agenda.open.push(2 * i + 1);
        if (2 * i + 2 < n) s.board->agenda.open.push(2 * i + 2);
    }
}
extern "C" double objective(const double *x, int n) {
    Agenda a; std::multiset<int> marks;
    Solver s{std::make_unique<Board>(Board{a, marks}), std::vector<double>(n), x};
    a.open.push(0);
    relax(s, n);
    a.open.push(1);
    relax(s, n);
    double e = 0, w = 1;
    for (int i : a.trail) e += s.t[i] * (w += 0.5);
    for (int i : marks) e += s.t[i + 1];
    return e * a.log.size();
}

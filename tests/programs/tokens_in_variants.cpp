// check: array n=6,3
// Characters of a text in structs beside an integer, in variants with numbers: no character has a tangent.
#include <cctype>
#include <cmath>
#include <map>
#include <stack>
#include <string>
#include <variant>
#include <vector>
struct Op { char c; int prec; }; struct Fn { std::string name; };
using Token = std::variant<double, Op, Fn, std::string>;
static std::vector<Token> compile(const std::string &s) {
  std::vector<Token> out; std::stack<std::variant<Op, Fn>> ops; auto emit = [&] { std::visit([&](auto &o) { out.emplace_back(o); }, ops.top()); ops.pop(); };
  for (size_t i = 0; i < s.size();) { char c = s[i];
    if (isdigit(c)) { double v = 0; while (i < s.size() && isdigit(s[i])) v = v * 10 + (s[i++] - '0'); out.emplace_back(v); continue; }
    if (isalpha(c)) { std::string w; while (i < s.size() && isalnum(s[i])) w += s[i++]; if (i < s.size() && s[i] == '(') ops.push(Fn{w}); else out.emplace_back(w); continue; }
    if (c == '(') ops.push(Op{'(', 0}); else if (c == ')') { while (!std::holds_alternative<Op>(ops.top()) || std::get<Op>(ops.top()).c != '(') emit(); ops.pop(); if (!ops.empty() && std::holds_alternative<Fn>(ops.top())) emit(); }
    else if (c != ' ') { int p = c == '+' || c == '-' ? 1 : 2; while (!ops.empty() && std::holds_alternative<Op>(ops.top()) && std::get<Op>(ops.top()).prec >= p) emit(); ops.push(Op{c, p}); }
    i++; }
  while (!ops.empty()) emit(); return out; }
static double run(const std::vector<Token> &p, const std::map<std::string, double> &env) {
  std::vector<double> st; auto pop = [&] { double v = st.back(); st.pop_back(); return v; };
  for (auto &t : p) switch (t.index()) { case 0: st.push_back(std::get<0>(t)); break; case 1: { double b = pop(), a = pop(); char c = std::get<1>(t).c; st.push_back(c == '+' ? a + b : c == '-' ? a - b : c == '*' ? a * b : a / b); break; } case 2: { double a = pop(); st.push_back(std::get<2>(t).name == "sin" ? std::sin(a) : std::exp(a)); break; } default: st.push_back(env.at(std::get<3>(t))); }
  return st.back(); }
extern "C" double objective(const double *x, int n) {
  auto p = compile("a * sin(b + 2 * c) - exp(a / (b + 3)) * 2"); std::map<std::string, double> env{{"a", x[0]}, {"b", x[1]}, {"c", x[n - 1]}}; double s = run(p, env); env["a"] = s * 0.1; return s + run(p, env) * x[0];
}

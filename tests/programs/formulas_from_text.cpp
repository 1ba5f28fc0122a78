// check: array n=3 range=0.6:1.4 flags=-std=c++20
// Formulas are read from text: the characters of operators and digits go to nodes, where others have a number.
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

struct Expr;
using P = std::shared_ptr<const Expr>;
struct Const { double v; };
struct Var { int index; };
struct Un { char f; P a; };
struct Bin { char op; P a, b; };
using Node = std::variant<Const, Var, Un, Bin>;
struct Expr { Node node; };

static P made(Node n) { return std::make_shared<const Expr>(Expr{std::move(n)}); }

struct Parser {
    std::string_view s;
    double k;
    std::size_t i = 0;

    P sum()
    {
        P l = atom();
        while (i < s.size() && (s[i] == '+' || s[i] == '*')) {
            char op = s[i++];
            l = made(Bin{op, l, atom()});
        }
        return l;
    }

    P atom()
    {
        std::string word;
        while (i < s.size() && std::isalnum(static_cast<unsigned char>(s[i]))) word += s[i++];
        if (word.size() == 2 && word[0] == 'x') return made(Var{word[1] - '0'});
        if (i < s.size() && s[i] == '(') {
            i++;
            P inner = sum();
            i++;
            return made(Un{word[0], inner});
        }
        return made(Const{k});
    }
};

static double value(const P &p, const double *x)
{
    if (auto c = std::get_if<Const>(&p->node)) return c->v;
    if (auto v = std::get_if<Var>(&p->node)) return x[v->index];
    if (auto u = std::get_if<Un>(&p->node)) return u->f == 's' ? std::sin(value(u->a, x)) : std::exp(value(u->a, x));
    auto &b = std::get<Bin>(p->node);
    return b.op == '+' ? value(b.a, x) + value(b.b, x) : value(b.a, x) * value(b.b, x);
}

extern "C" double objective(double *x, int n)
{
    std::string text = "sin(x0*exp(k+x1))*x2+k";
    return value(Parser{text, x[0] * x[n - 1]}.sum(), x);
}

// check: array n=4 flags=-std=c++17
// A script of numbers and operators, read by std::from_chars to members and variables. Numbers from text are constant.
#include <charconv>
#include <string_view>
#include <vector>
struct Token {
    enum Kind { number, variable, operation } kind;
    double value;
    float scale;
    int index;
};

static std::vector<Token> read(std::string_view text, int n)
{
    std::vector<Token> tokens;
    const char *at = text.data(), *end = at + text.size();
    while (at != end) {
        Token token{Token::operation, 0, 1, *at};
        if (*at == ' ') {
            at++;
            continue;
        }
        if (*at == 'x') {
            at = std::from_chars(at + 1, end, token.index).ptr;
            token.kind = Token::variable;
            token.index %= n;
            if (at != end && *at == '@')
                at = std::from_chars(at + 1, end, token.scale).ptr;
        } else if (auto [next, error] = std::from_chars(at, end, token.value); error == std::errc()) {
            token.kind = Token::number;
            at = next;
        } else
            at++;
        tokens.push_back(token);
    }
    return tokens;
}

static double run(const std::vector<Token> &tokens, const double *x)
{
    std::vector<double> stack;
    for (const Token &token : tokens) {
        if (token.kind == Token::number)
            stack.push_back(token.value);
        else if (token.kind == Token::variable)
            stack.push_back(x[token.index] * token.scale);
        else {
            double b = stack.back();
            stack.pop_back();
            double &a = stack.back();
            a = token.index == '+' ? a + b : token.index == '*' ? a * b : a - b;
        }
    }
    return stack.back();
}

extern "C" double objective(const double *x, int n)
{
    return run(read("x0@0.5 2.5 * x1 x2 * + x3 1.25e1 - * x1@3 *", n), x);
}

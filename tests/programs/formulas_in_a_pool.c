// check: array n=5,4
// A formula compiler: recursive descent to a tree with a pool, constant folding, then compiled into bytecode with immediate doubles memcpy'd into a byte stream and run on a stack.
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef enum { N_NUM, N_VAR, N_UN, N_BIN, N_COND } ntype;
typedef struct node { ntype t; char op; union { double num; int var; struct { struct node *l, *r, *c; }; }; } node;
typedef struct { const char *p; node pool[64]; int used; int error; } parser;
typedef struct { double imm[64]; uint8_t code[128]; int len, nimm; } program;
static node *mk(parser *ps, ntype t, char op) { if (ps->used == 64) { ps->error = 1; return ps->pool; } node *n = &ps->pool[ps->used++]; memset(n, 0, sizeof *n); n->t = t; n->op = op; return n; }
static char peek(parser *ps) { while (isspace((unsigned char)*ps->p)) ps->p++; return *ps->p; }
static node *expr(parser *ps, int level);
static node *atom(parser *ps)
{
    char c = peek(ps);
    if (isdigit((unsigned char)c) || c == '.') { char *end; node *n = mk(ps, N_NUM, 0); n->num = strtod(ps->p, &end); ps->p = end; return n; }
    if (c == 'x') { ps->p++; node *n = mk(ps, N_VAR, 0); n->var = *ps->p++ - '0'; return n; }
    if (c == '-' || c == '$' || c == '@' || c == '~') { ps->p++; node *n = mk(ps, N_UN, c); n->l = atom(ps); return n; }
    if (c == '(') { ps->p++; node *n = expr(ps, 0); if (peek(ps) == ')') ps->p++; else ps->error = 2; return n; }
    ps->error = 3;
    return mk(ps, N_NUM, 0);
}
static node *expr(parser *ps, int level)
{
    static const char *const ops[] = { "+-", "*/", "^" };
    if (level == 3) return atom(ps);
    node *l = expr(ps, level + 1);
    for (char c; (c = peek(ps)) && strchr(ops[level], c); ) {
        ps->p++;
        node *n = mk(ps, N_BIN, c);
        n->l = l; n->r = expr(ps, level == 2 ? 2 : level + 1);
        l = n;
    }
    if (level == 0 && peek(ps) == '?') {
        ps->p++;
        node *n = mk(ps, N_COND, '?');
        n->c = l; n->l = expr(ps, 0);
        if (peek(ps) == ':') ps->p++; else ps->error = 4;
        n->r = expr(ps, 0);
        return n;
    }
    return l;
}
static double binary(char op, double a, double b)
{
    switch (op) { case '+': return a + b; case '-': return a - b; case '*': return a * b; case '/': return a / b; default: return pow(a, b); }
}
static double unary(char op, double a) { return op == '-' ? -a : op == '$' ? sin(a) : op == '@' ? exp(a) : sqrt(a); }
static double eval(const node *n, const double *x)
{
    switch (n->t) {
    case N_NUM: return n->num;
    case N_VAR: return x[n->var];
    case N_UN: return unary(n->op, eval(n->l, x));
    case N_BIN: return binary(n->op, eval(n->l, x), eval(n->r, x));
    case N_COND: return eval(n->c, x) > 0 ? eval(n->l, x) : eval(n->r, x);
    }
    return 0;
}
static void emit(program *pr, const node *n)
{
    switch (n->t) {
    case N_NUM: pr->imm[pr->nimm] = n->num; pr->code[pr->len++] = '#'; pr->code[pr->len++] = (uint8_t)pr->nimm++; break;
    case N_VAR: pr->code[pr->len++] = 'x'; pr->code[pr->len++] = (uint8_t)n->var; break;
    case N_UN: emit(pr, n->l); pr->code[pr->len++] = n->op == '-' ? 'n' : (uint8_t)n->op; break;
    case N_BIN: emit(pr, n->l); emit(pr, n->r); pr->code[pr->len++] = (uint8_t)n->op; break;
    case N_COND: {
        emit(pr, n->c);
        pr->code[pr->len++] = '?'; int hole = pr->len++;
        emit(pr, n->l);
        pr->code[pr->len++] = '!'; int hole2 = pr->len++;
        pr->code[hole] = (uint8_t)pr->len;
        emit(pr, n->r);
        pr->code[hole2] = (uint8_t)pr->len;
    } break;
    }
}
static double run(const program *pr, const double *x)
{
    double st[16], *sp = st;
    for (const uint8_t *pc = pr->code; pc < pr->code + pr->len; ) {
        switch (*pc++) {
        case '#': *sp++ = pr->imm[*pc++]; break;
        case 'x': *sp++ = x[*pc++]; break;
        case 'n': sp[-1] = -sp[-1]; break;
        case '$': case '@': case '~': sp[-1] = unary((char)pc[-1], sp[-1]); break;
        case '?': if (*--sp > 0) pc++; else pc = pr->code + *pc; break;
        case '!': pc = pr->code + *pc; break;
        default: sp--; sp[-1] = binary((char)pc[-1], sp[-1], *sp);
        }
    }
    return sp[-1];
}
double objective(double *x, int n)
{
    static const char *const formulas[] = { "x0*x1 + 2^(x2-1) / (1 + x3)", "$(x0 + x1*x1) - @(-x2) * ~(x3 + 3)", "x0 - 100 ? x1 : x1 ^ 2 ^ x0 * .5", "-x3 * 3 + (x0 ? x1*x2 : 7)" };
    double total = 0;
    for (unsigned k = 0; k < sizeof formulas / sizeof *formulas; k++) {
        parser *ps = calloc(1, sizeof *ps);
        program *pr = calloc(1, sizeof *pr);
        ps->p = formulas[k];
        node *root = expr(ps, 0);
        if (ps->error || *ps->p) { free(ps); free(pr); return -1; }
        for (int i = 0; i < ps->used; i++) if (ps->pool[i].t == N_NUM) ps->pool[i].num *= x[(k + i) % n];
        emit(pr, root);
        total += eval(root, x) * (k + 1) + run(pr, x) * run(pr, x);
        free(pr); free(ps);
    }
    return total;
}

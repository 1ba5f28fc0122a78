// check: array n=4
/* Expressions read from a text, as lists of tagged values: the library tells where a number of the text ends, and what
   follows is copied from there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Value Value;
struct Value {
    enum { NIL, NUMBER, NAME, PAIR } tag;
    union {
        double number;
        char name[8];
        struct {
            Value *first, *rest;
        } pair;
    } u;
    Value *next;
};
static _Thread_local Value *all;

static Value *fresh(int tag)
{
    Value *v = calloc(1, sizeof *v);
    v->tag = tag;
    v->next = all;
    return all = v;
}

static Value *named(const char *begin, int length)
{
    Value *v = fresh(NAME);
    memcpy(v->u.name, begin, length);
    return v;
}

static Value *parse(const char **text)
{
    while (**text == ' ')
        ++*text;
    if (**text == '(') {
        ++*text;
        Value *items[8], *list = fresh(NIL);
        int n = 0;
        for (; **text != ')'; ++n) {
            items[n] = parse(text);
            while (**text == ' ')
                ++*text;
        }
        ++*text;
        while (n--) {
            Value *pair = fresh(PAIR);
            pair->u.pair.first = items[n];
            pair->u.pair.rest = list;
            list = pair;
        }
        return list;
    }
    if (**text >= '0' && **text <= '9') {
        char *end;
        Value *v = fresh(NUMBER);
        v->u.number = strtod(*text, &end);
        *text = end;
        return v;
    }
    const char *begin = *text;
    while (**text && **text != ' ' && **text != ')')
        ++*text;
    return named(begin, *text - begin);
}

static double eval(Value *v, const double *x)
{
    if (v->tag == NUMBER)
        return v->u.number;
    if (v->tag == NAME) {
        Value *found = fresh(NUMBER);
        found->u.number = x[v->u.name[0] - 'a'];
        return found->u.number;
    }
    const char *f = v->u.pair.first->u.name;
    double result = !strcmp(f, "*");
    for (v = v->u.pair.rest; v->tag == PAIR; v = v->u.pair.rest) {
        double argument = eval(v->u.pair.first, x);
        result = *f == '*' ? result * argument : result + argument;
    }
    return strcmp(f, "sin") ? result : sin(result);
}

double objective(const double *x, int n)
{
    (void)n;
    all = NULL;
    const char *text = "(+ (* a b (sin (* c 2.5))) (* d d 1e-1 d) (sin (+ 3 a 1)) (* 3 d))";
    double result = eval(parse(&text), x);
    while (all) {
        Value *next = all->next;
        free(all);
        all = next;
    }
    return result;
}

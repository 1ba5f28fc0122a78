// check: array n=5 real=float
// Structs by value of which an integer is changed, in arrays and through loops: it shares a register with a number.
#include <math.h>
#include <stdlib.h>

typedef struct {
    double at;
    int visits;
    float weight;
} cell;
typedef struct {
    float weight;
    int rank;
} ranked;
typedef struct {
    int low;
    float first;
    int high;
    float second;
} crossed;

__attribute__((noinline)) static cell visited(cell c, float by, int turn)
{
    c.at = c.at * by + c.weight;
    c.visits = c.visits > turn ? 0 : c.visits + 1;
    c.weight = c.weight * 0.5f + c.visits;
    return c;
}

__attribute__((noinline)) static ranked made(float x, int rank) { return (ranked){(float)(x * x), rank}; }

__attribute__((noinline)) static ranked raised(ranked r, int by)
{
    r.rank = -r.rank % 1000 * 3 + by;
    if (r.rank & 1)
        r.weight *= 1.5f;
    return r;
}

static crossed turned(crossed c, int by)
{
    c.low = c.low > by ? c.low : by;
    c.high = c.low % 3;
    c.second = c.second * c.first + c.high;
    return c;
}

float objective(float *x, int n)
{
    cell *cells = malloc(n * sizeof *cells);
    ranked *ranks = malloc(n * sizeof *ranks);
    crossed four[4];
    for (int i = 0; i < n; i++) {
        cells[i] = (cell){x[i], i, (float)(0.5 * x[i])};
        ranks[i] = made(x[i], i);
    }
    for (int i = 0; i < 4; i++)
        four[i] = (crossed){i, (float)x[i % n], 2, (float)x[(i + 1) % n]};
    for (int turn = 0; turn < 3; turn++)
        for (int i = 0; i < n; i++) {
            cells[i] = visited(cells[i], x[(i + turn) % n], turn);
            ranked one = ranks[i];
            for (int again = 0; again < 2; again++)
                one = raised(one, again + turn);
            ranks[(i + 1) % n] = one;
            if (four[i % 4].low % 2 == turn % 2)
                four[i % 4] = turned(four[i % 4], i);
        }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += cells[i].at * cells[i].weight * (cells[i].visits % 3 + 1) + ranks[i].weight * (ranks[i].rank % 5);
    for (int i = 0; i < 4; i++)
        sum += four[i].first * four[i].second * (four[i].low + four[i].high + 1);
    free(ranks);
    free(cells);
    return sum;
}

// check: array n=4,6
// A struct of buffers behind a global pointer, made by an ordinary call before any derivative.
#include <stdlib.h>

typedef struct {
    int size;
    double *state, *flux;
    struct {
        double **rows;
        double scale;
    } table;
} workspace;

static workspace *space;

static workspace *make(int n)
{
    workspace *made = malloc(sizeof *made);
    made->size = n;
    made->state = calloc(n, sizeof(double));
    made->flux = malloc((n + 1) * sizeof(double));
    made->table.rows = malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++)
        made->table.rows[i] = malloc(n * sizeof(double));
    made->table.scale = 0.5;
    return made;
}

static void drop(workspace *old)
{
    for (int i = 0; i < old->size; i++)
        free(old->table.rows[i]);
    free(old->table.rows);
    free(old->flux);
    free(old->state);
    free(old);
}

double objective(const double *x, int n)
{
    if (space && space->size != n) {
        drop(space);
        space = NULL;
    }
    if (!space)
        space = make(n);
    for (int i = 0; i < n; i++)
        space->state[i] = x[i];
    for (int step = 0; step < 3; step++) {
        space->flux[0] = space->flux[n] = 0;
        for (int i = 1; i < n; i++)
            space->flux[i] = space->state[i] * space->state[i - 1];
        for (int i = 0; i < n; i++)
            space->state[i] += 0.1 * (space->flux[i + 1] - space->flux[i]);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            space->table.rows[i][j] = space->state[i] * x[j] * space->table.scale;
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += space->table.rows[i][j] * space->table.rows[j][i];
    return sum;
}

// check: array n=4
// Constants that point to each other in a circle, as tables of types do.
struct kind { const struct kind *next; const double *weights; int count; };
static const double first_weights[] = {1.0, 2.0};
static const double second_weights[] = {0.5, 0.25, 4.0};
extern const struct kind second;
const struct kind first = {&second, first_weights, 2};
const struct kind second = {&first, second_weights, 3};

double objective(const double *x, int n)
{
    const struct kind *kind = n % 2 ? &second : &first;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < kind->count; k++)
            sum += kind->weights[k] * x[i] * x[i];
        kind = kind->next;
    }
    return sum;
}

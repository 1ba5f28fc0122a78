// check: main flags=-Itests/support
// A function that is called puts a pointer to active memory into constant memory, and its caller reads it there: the
// program ends. What nobody reads there is no harm, nor is a pointer to constant numbers.
#include "expect.h"
#include "stops.h"

extern int enzyme_const, enzyme_dup;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    double *at;
    const double *table;
} Place;

__attribute__((noinline)) static void set(Place *place, double *at) { place->at = at; }
__attribute__((noinline)) static void tell(Place *place, const double *table) { place->table = table; }
static void (*setter)(Place *, double *) = set;

static double read_back(const double *x, Place *place)
{
    double square = x[0] * x[0];
    set(place, &square);
    return *place->at;
}

static double through_pointer(const double *x, Place *place)
{
    double square = x[0] * x[0];
    setter(place, &square);
    return *place->at * x[1];
}

static double left_there(const double *x, Place *place)
{
    double square = x[0] * x[0];
    set(place, &square);
    return square * x[1];
}

static double constants(const double *x, Place *place)
{
    static const double table[] = {2, 3};
    tell(place, table);
    return place->table[1] * x[0] * x[1];
}

static double x[2] = {3, 4};

static void reverse(int which)
{
    double bar[2] = {0};
    Place place = {0};
    if (which)
        __enzyme_autodiff((void *)through_pointer, enzyme_dup, x, bar, enzyme_const, &place);
    else
        __enzyme_autodiff((void *)read_back, enzyme_dup, x, bar, enzyme_const, &place);
}

static void forward(int which)
{
    double dot[2] = {1, 0};
    Place place = {0};
    if (which)
        __enzyme_fwddiff((void *)through_pointer, enzyme_dup, x, dot, enzyme_const, &place);
    else
        __enzyme_fwddiff((void *)read_back, enzyme_dup, x, dot, enzyme_const, &place);
}

int main(void)
{
    for (int which = 0; which < 2; which++) {
        EXPECT(stops_saying(reverse, which, "memory that is constant"), 1);
        EXPECT(stops_saying(forward, which, "memory that is constant"), 1);
    }
    double bar[2] = {0}, dot[2] = {1, 0};
    Place place = {0};
    __enzyme_autodiff((void *)left_there, enzyme_dup, x, bar, enzyme_const, &place);
    EXPECT(bar[0], 2 * x[0] * x[1]);
    EXPECT(__enzyme_fwddiff((void *)left_there, enzyme_dup, x, dot, enzyme_const, &place), 2 * x[0] * x[1]);
    bar[0] = 0;
    __enzyme_autodiff((void *)constants, enzyme_dup, x, bar, enzyme_const, &place);
    EXPECT(bar[0], 3 * x[1]);
    EXPECT(__enzyme_fwddiff((void *)constants, enzyme_dup, x, dot, enzyme_const, &place), 3 * x[1]);
    return expect_failures != 0;
}

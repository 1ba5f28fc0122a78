// check: array n=3 flags=-std=c11,-w with=other_parameters_unread_part.c,other_parameters_unread_fortran.f90
// Calls of other types than the definitions, of which nothing is read that is not passed: as C of old wrote them.
double pick(); double no_more(double x); void doubled(double *x); double fewer(double x, double y, long n);
double *address(double *x); long same(double *x); double scaled_(double *x, char *how);
double objective(double *x, int n)
{
    double y = x[0];
    doubled(&y);
    double sum = pick(x[0], x[1], 3) * no_more(x[2]) + y * fewer(x[1], x[2], 4);
    return sum + *address(x) * *(double *)same(x + 1) + scaled_(x, "q");
}

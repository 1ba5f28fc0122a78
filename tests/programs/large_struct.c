// check: array n=9
// A struct too large for registers: returned through memory, passed by value on the stack.
typedef struct {
    double a[3][3];
} matrix;

__attribute__((noinline)) static matrix multiply(matrix l, matrix r)
{
    matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out.a[i][j] = 0.0;
            for (int k = 0; k < 3; k++)
                out.a[i][j] += l.a[i][k] * r.a[k][j];
        }
    return out;
}

double objective(const double *x, int n)
{
    matrix m;
    for (int i = 0; i < n; i++)
        m.a[i / 3][i % 3] = x[i];
    matrix square = multiply(m, m), cube = multiply(square, m);
    return cube.a[0][0] + cube.a[1][1] * square.a[2][2] + cube.a[0][2];
}

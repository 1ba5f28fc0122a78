// check: array n=6,0
// new and delete, of arrays, objects and arrays of objects with constructors.
struct Cell {
    double value = 1.5;
    Cell *neighbour = nullptr;
};

extern "C" double objective(const double *x, int n)
{
    double *copy = new double[n]();
    Cell *cells = new Cell[n];
    for (int i = 0; i < n; i++) {
        copy[i] += x[i] * x[i];
        cells[i].value *= copy[i];
        cells[i].neighbour = &cells[(i + 1) % n];
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        Cell *spare = new Cell(cells[i]);
        sum += spare->value * spare->neighbour->value;
        delete spare;
    }
    delete[] cells;
    delete[] copy;
    return sum;
}

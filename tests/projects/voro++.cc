// Voro++ (C++): the volume and surface of the cell that planes between points leave.
#include <voro++.hh>

enum { N = 12 };
static const double POINT[N] = {0.9, 0.3, 0.1, -0.8, 0.5, 0.2, 0.1, -1.1, 0.3, 0.2, 0.3, 1.2};

static double f(const double *x) {
    voro::voronoicell cell;
    cell.init(-1, 1, -1, 1, -1, 1);
    for (int i = 0; i < N; i += 3) cell.plane(x[i], x[i + 1], x[i + 2]);
    return cell.volume() + 0.1 * cell.surface_area();
}

#include "gradient_main.h"

#include "cloud.hpp"

#include <vector>

namespace cloud {

/* Sum of the distances of points in space from their centre. */
double spread(const double (*points)[3], int n) {
  std::vector<double> centre(3);
  for (int i = 0; i < n; i++)
    for (int axis = 0; axis < 3; axis++) centre[axis] += points[i][axis] / n;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double away[3];
    for (int axis = 0; axis < 3; axis++) away[axis] = points[i][axis] - centre[axis];
    sum += norm(away, 3);
  }
  return sum;
}

}  // namespace cloud

#include "every/norm.h"

int main(void) {
  double x[2] = {3, 4}, x_bar[2] = {0, 0};
  return !(norm_grad(x, x_bar, 2) == 25 && x_bar[0] == 6 && x_bar[1] == 8);
}

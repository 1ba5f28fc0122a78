#include "cube_grad.h"

int main(void) {
  double x_bar = 0;
  return !(cube_grad(2, &x_bar) == 8 && x_bar == 12);
}

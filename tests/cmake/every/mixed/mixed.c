#include "square_split.h"
#include "top_grad.h"

int mixed(void) {
  double bar = 0, x[2] = {1, 2}, x_bar[2] = {0, 0};
  void *tape;
  square_by_augmented(3, &bar, &tape);
  square_by_reverse(3, &bar, tape);
  return bar == 6 && top_grad(x, x_bar, 2) == 21 && x_bar[0] == 800 && x_bar[1] == 1600;
}

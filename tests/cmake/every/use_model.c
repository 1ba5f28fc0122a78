#include "model_jvp.h"

int main(void) {
  double slope = 0;
  tangent(2, 1, 0, &slope);
  return slope != 12;
}

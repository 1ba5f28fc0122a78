// Moves the inner ends of a chain to where no force is left: down the gradient of the energy.
#include <stdio.h>

#include "energy_grad.h"
#include "springs.h"

int main(void) {
  double x[4] = {0, 0.2, 2.9, 3.6};
  for (int step = 0; step < 500; step++) {
    double x_bar[4] = {0}, k_bar = 0;  // adjoints are added to what is there
    energy_grad(x, x_bar, 4, 2.0, &k_bar);
    for (int i = 1; i < 3; i++) x[i] -= 0.1 * x_bar[i];
  }
  printf("ends at %.3f %.3f %.3f %.3f, energy %.3f\n", x[0], x[1], x[2], x[3], energy(x, 4, 2.0));
}

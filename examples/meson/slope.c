// The gradient of the misfit against differences of the misfit.
#include <math.h>
#include <stdio.h>

#include "decay.h"
#include "misfit_grad.h"

int main(void) {
  const double times[3] = {0, 1, 2}, values[3] = {2.1, 1.2, 0.8}, step = 1e-6;
  double amplitude_bar = 0, rate_bar = 0;
  misfit_grad(times, values, 3, 2.0, &amplitude_bar, 0.4, &rate_bar);
  double above = misfit(times, values, 3, 2.0, 0.4 + step), below = misfit(times, values, 3, 2.0, 0.4 - step);
  double difference = (above - below) / (2 * step);
  printf("by the rate %.6f, difference %.6f\n", rate_bar, difference);
  return fabs(rate_bar - difference) > 1e-6;
}

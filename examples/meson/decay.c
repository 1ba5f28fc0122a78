#include "decay.h"

#include <math.h>

double misfit(const double *times, const double *values, int n, double amplitude, double rate) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double difference = amplitude * exp(-rate * times[i]) - values[i];
    sum += difference * difference;
  }
  return sum;
}

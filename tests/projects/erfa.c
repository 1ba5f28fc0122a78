/* ERFA (C): where in the sky, and how far from its mean place, a star stands at a date. */
#include "erfa.h"

enum { N = 3 };
static const double POINT[N] = {0.3, 0.4, 53.00025};

static double f(const double *x) {
  double rotation[3][3], mean[3], true_place[3], ascension, declination, azimuth, elevation;
  eraPnm06a(2400000.5, 1000 * x[2], rotation);
  eraS2c(x[0], x[1], mean);
  eraRxp(rotation, mean, true_place);
  eraC2s(true_place, &ascension, &declination);
  eraHd2ae(ascension, declination, 0.9, &azimuth, &elevation);
  return 2 * azimuth + elevation + eraSepp(mean, true_place);
}

#include "gradient_main.h"

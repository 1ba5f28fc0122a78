#pragma once
#include <cmath>

namespace cloud {

double norm(const double *x, long n);

template <class T> T square(T x) { return x * x; }

}  // namespace cloud

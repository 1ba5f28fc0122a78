#include "width.h"

double area(double x) { return WIDTH * SETTING * x * x; }

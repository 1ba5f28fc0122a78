// Sum of the squared differences of values, measured at times, from amplitude * exp(-rate * time).
double misfit(const double *times, const double *values, int n, double amplitude, double rate);

// check: array n=2 flags=-stdlib=libc++
#include "short_reads.cpp"

// check: array n=3 flags=-stdlib=libc++
#include "numbers_left_out.cpp"

// check: array n=4,1 refused=E0111@-O2-fno-inline
/* The same as in the other one with counts of four bytes in the words of numbers. */
#include <stdint.h>

#define INTEGER int32_t
#include "values_in_registers.c"

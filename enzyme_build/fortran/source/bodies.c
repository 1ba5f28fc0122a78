// All bodies as one module, which is compiled once.
#include "allocation.c"
#include "assign.c"
#include "interoperable.c"
#include "numeric.c"
#include "places.c"
#include "reductions.c"
#include "stacks.c"
#include "transformational.c"

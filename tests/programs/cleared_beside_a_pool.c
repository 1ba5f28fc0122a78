// check: array n=2 range=0.3:1.7 lenient=1 tol=1e-3 step=0.02 identity=1e-5
// An array in a struct is cleared as a whole, beside nodes of a pool whose first bytes are a link or a float.
#define SLOT struct quad
#define LINK(s) (*(struct quad **)(s))
#define NODE(s) (*(s))
#include "quads_in_slots.h"

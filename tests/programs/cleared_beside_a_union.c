// check: array n=2 range=0.3:1.7 lenient=1 tol=1e-3 step=0.02 identity=1e-5
// The same beside nodes from a union of a link and the node.
#define SLOT union slot
#define LINK(s) ((s)->free)
#define NODE(s) ((s)->q)
#include "quads_in_slots.h"

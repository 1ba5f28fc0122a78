"""Bodies of the functions that flang's compiled code calls, so that the pass sees through them."""

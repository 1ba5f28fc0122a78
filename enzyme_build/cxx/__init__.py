"""Bodies of functions that a C++ library has as machine code, so that the pass sees through them."""

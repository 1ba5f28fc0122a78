int units(void) { return 2; }

// check: array n=6 flags=-no-pie stopped=-O2-fno-inline
// The heap lies right behind the program, and words of addresses look like small integers.
#include "words_counted_or_pointers.c"

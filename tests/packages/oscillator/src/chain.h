/* A chain of masses on springs. */
#ifndef CHAIN_H
#define CHAIN_H

#ifndef STIFFNESS
#define STIFFNESS 1.0
#endif

static inline double spring(double k, double stretch) { return 0.5 * k * stretch * stretch; }

#endif

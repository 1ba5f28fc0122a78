// check: array n=3,6 refused=E0111@-O2-fno-inline
// The stack of an interpreter has numbers and counters, which are told apart while it runs.
typedef union { double d; long i; } slot;
static const unsigned char prog[] = {0, 1, 2, 3, 1, 4, 5};
double objective(double *x, int n) {
    slot st[4];
    double acc = 1;
    int sp = 0;
    for (int pc = 0;;)
        switch (prog[pc++]) {
        case 0: st[sp++].i = 3; break;
        case 1: st[sp].d = x[sp % n]; sp++; break;
        case 2: acc = acc * st[--sp].d + x[0]; break;
        case 3: if (--st[sp - 1].i) pc = 1; break;
        case 4: sp--; st[sp].d *= acc; acc = st[sp].d; break;
        default: return acc;
        }
}

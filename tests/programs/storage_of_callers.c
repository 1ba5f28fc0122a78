// check: main
// What structs in the caller's memory declare as characters may be storage for anything. Text, and text that a shadow
// has, too, because it was made by copying the object: nothing of it has a derivative. A number that is kept there
// moves its tangent and its adjoint. A pointer with a shadow of its own ends the program with a message in reverse mode,
// and so does what may be an adjoint or left of a copied object.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_dup, enzyme_const;
extern double __enzyme_autodiff(void *, ...);
extern double __enzyme_fwddiff(void *, ...);

typedef struct {
    double x;
    char label[16];
    double v;
    int n;
} Particle;

__attribute__((noinline)) static double swap(Particle *p, Particle *q, int times)
{
    double sum = 0;
    for (int i = 0; i < times; i++) {
        Particle kept = *p;
        kept.x *= kept.v;
        *p = *q;
        *q = kept;
        sum += p->x * q->x * p->n;
    }
    return sum;
}

static Particle made(double x, const char *label, double v, int n)
{
    Particle p = {x, "", v, n};
    strncpy(p.label, label, sizeof p.label - 1);
    return p;
}

// Of the text, and by how the shadows are made: 0 with zeros, 1 as copies of the objects.
static int of_text(int copied)
{
    const double dot[4] = {0.3, -0.5, 0.8, 0.2};
    double forward = 0, reverse = 0, sum[2];
    for (int mode = 0; mode < 2; mode++) {
        Particle p = made(0.7, "proton", 1.1, 2), q = made(-0.4, "antineutron no 7", 0.6, 3);
        Particle dp = made(0, copied ? p.label : "", 0, 0), dq = made(0, copied ? q.label : "", 0, 0);
        if (mode) {
            __enzyme_autodiff((void *)swap, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq, enzyme_const, 3);
            reverse = dp.x * dot[0] + dp.v * dot[1] + dq.x * dot[2] + dq.v * dot[3];
        } else {
            dp.x = dot[0], dp.v = dot[1], dq.x = dot[2], dq.v = dot[3];
            forward = __enzyme_fwddiff((void *)swap, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq, enzyme_const, 3);
        }
        if (strcmp(p.label, "antineutron no ") || strcmp(q.label, "proton"))
            return 1;
        const double step = mode ? 1e-5 : -1e-5;
        p = made(0.7 + step * dot[0], "", 1.1 + step * dot[1], 2);
        q = made(-0.4 + step * dot[2], "", 0.6 + step * dot[3], 3);
        sum[mode] = swap(&p, &q, 3);
    }
    return fabs(forward - reverse) > 1e-12 || fabs(forward - (sum[1] - sum[0]) / 2e-5) > 1e-7;
}

// Reverse mode with something else among the characters of the shadow.
static int stops(const void *kept, const void *shadow, unsigned size, const void *seed)
{
    int ends[2];
    if (pipe(ends))
        return 0;
    if (!fork()) {
        dup2(ends[1], 2);
        Particle p = made(0.7, "", 1.1, 2), q = made(-0.4, "", 0.6, 3), dp = made(0, "", 0, 0), dq = dp;
        memcpy(p.label, kept, size);
        memcpy(dp.label, shadow, size);
        memcpy(dq.label, seed, size);
        __enzyme_autodiff((void *)swap, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq, enzyme_const, 1);
        _exit(0);
    }
    close(ends[1]);
    char said[500] = "";
    const long count = read(ends[0], said, sizeof said - 1);
    close(ends[0]);
    int status;
    wait(&status);
    return count > 0 && WIFSIGNALED(status) && strstr(said, "storage_of_callers.c:") && strstr(said, "nothing tells what they are");
}

int main(void)
{
    if (of_text(0) || of_text(1))
        return 1;
    const double number = 2.0, adjoint = 2.0, none = 0.0;
    double variable = 1.0, its_shadow = 0.0;
    const double *pointer = &variable, *other = &its_shadow, *null = 0;
    Particle from = made(0.7, "", 1.1, 2), to = made(-0.4, "", 0.6, 3), from_bar = made(0, "", 0, 0), to_bar = from_bar;
    memcpy(from.label, &number, sizeof number);
    memcpy(to_bar.label, &adjoint, sizeof adjoint);
    __enzyme_autodiff((void *)swap, enzyme_dup, &from, &from_bar, enzyme_dup, &to, &to_bar, enzyme_const, 1);
    if (memcmp(from_bar.label, &adjoint, sizeof adjoint) || memcmp(to_bar.label, &none, sizeof none))
        return 2;
    if (!stops(&number, &adjoint, sizeof number, &none))
        return 3;
    if (!stops(&pointer, &other, sizeof pointer, &null))
        return 4;
    // A number's tangent goes where the number goes.
    Particle p = made(0.7, "", 1.1, 2), q = made(-0.4, "", 0.6, 3), dp = made(0, "", 0, 0), dq = dp;
    const double tangent = 0.5;
    memcpy(p.label, &number, sizeof number);
    memcpy(dp.label, &tangent, sizeof tangent);
    __enzyme_fwddiff((void *)swap, enzyme_dup, &p, &dp, enzyme_dup, &q, &dq, enzyme_const, 1);
    double found;
    memcpy(&found, dq.label, sizeof found);
    return found == tangent ? 0 : 5;
}

// check: array n=2 flags=-stdlib=libc++
// Bytes of a file that ends early: what was not read keeps its numbers.
#include <fstream>
#include <unistd.h>

static void numbers(const char *path, double *into)
{
    std::ifstream in(path, std::ios::binary);
    in.read((char *)into, 2 * sizeof *into);
}

extern "C" double objective(const double *x, int n)
{
    char path[] = "/tmp/short_reads_XXXXXX";
    double one = 2.5, a[2] = {x[0], x[1] * x[1]};
    int file = mkstemp(path);
    double written = (double)write(file, &one, sizeof one);
    close(file);
    numbers(path, a);
    unlink(path);
    return a[0] * x[0] + a[1] * x[1] + written;
}

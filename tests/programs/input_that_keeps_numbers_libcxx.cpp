// check: array n=3 flags=-stdlib=libc++
// With libc++: numbers that input does not reach keep their values and derivatives.
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

static double bytes(const double *x, std::streamsize asked)
{
    const double stored[2] = {0.5, 1.5};
    char path[] = "/tmp/numbersXXXXXX";
    int file = mkstemp(path);
    if (write(file, stored, sizeof stored) < 0 || close(file))
        return 0;
    std::ifstream in(path, std::ios::binary);
    unlink(path);
    double w[4] = {x[0], x[1] * x[1], x[2], x[0] * x[2]};
    in.read(reinterpret_cast<char *>(w), asked);
    return w[0] * x[1] + w[1] * x[0] + w[2] * w[3];
}

extern "C" double objective(const double *x, int n)
{
    std::istringstream in("1.5 2.5 word");
    double read = x[0] * x[1], failed = x[n - 1], kept = x[1] * x[2];
    float single = (float)x[0];
    in >> single >> read >> failed >> kept;
    return read * x[0] + (double)single * x[1] + failed * x[2] + kept * x[0] + bytes(x, 16) + bytes(x, 32);
}

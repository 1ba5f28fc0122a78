// check: main
// An exception that is thrown in a differentiated function ends the program, with a message that says where.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern int enzyme_out;
double __enzyme_autodiff(void *, double);
double __enzyme_fwddiff(void *, double, double);

__attribute__((noinline)) static double root(double x) {
    if (x < 1)
        throw std::domain_error("below one");
    return std::sqrt(x - 1);
}

static double f(double x) { return root(x) * x; }
static double caught(double x) {
    try {
        return root(x) * x;
    } catch (const std::domain_error &) {
        return x * x;
    }
}

static double reverse(double x) { return __enzyme_autodiff((void *)f, x); }
static double forward(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
static double of_caught(double x) { return __enzyme_autodiff((void *)caught, x); }

static bool tells(double (*derivative)(double)) {
    int ends[2];
    if (pipe(ends))
        return false;
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], 2);
        derivative(0.5);
        _exit(0);
    }
    close(ends[1]);
    char said[1000];
    size_t length = 0;
    for (ssize_t n; length < sizeof said - 1 && (n = read(ends[0], said + length, sizeof said - 1 - length)) > 0;)
        length += n;
    said[length] = 0;
    close(ends[0]);
    int status;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && std::strstr(said, "exceptions_thrown.cpp:") && std::strstr(said, "an exception is thrown");
}

int main() {
    int bad = 0;
    for (auto derivative : {reverse, forward, of_caught}) {
        bad += std::fabs(derivative(2.0) - 2) > 1e-12;
        bad += !tells(derivative);
    }
    if (bad)
        std::printf("FAIL: %d\n", bad);
    return bad;
}

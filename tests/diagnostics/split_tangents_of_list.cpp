#include <list>

extern "C" void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);

double extend(std::list<double> &all, double x)
{
    all.push_back(x);
    return all.front() * x;
}

int main()
{
    std::list<double> all{1.0}, shadow{0.0};
    void *tape = __enzyme_augmentfwd((void *)extend, &all, &shadow, 2.0);
    return __enzyme_fwdsplit((void *)extend, &all, &shadow, 2.0, 1.0, tape) > 0;
}

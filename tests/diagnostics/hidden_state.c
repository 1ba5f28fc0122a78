extern double __enzyme_autodiff(void *, ...);

// Machine code elsewhere: it may keep what it gets and give it back.
extern void put(double);
extern double get(void);

static double through_a_call(double a)
{
    put(a * a);
    return a + get();
}

int main(void)
{
    return __enzyme_autodiff((void *)through_a_call, 1.5) > 0.0;
}

#include <stdint.h>

extern int enzyme_dup;
extern void __enzyme_autodiff(void *, ...);

struct node {
    double value;
    uintptr_t link; /* the addresses of both neighbours, mixed */
};

static void f(struct node *first, double *y)
{
    uintptr_t before = 0;
    *y = 0.0;
    while (first) {
        *y += first->value * first->value;
        uintptr_t next = first->link ^ before;
        before = (uintptr_t)first;
        first = (struct node *)next;
    }
}

int main(void)
{
    struct node a = {2.0, 0}, b = {3.0, 0}, a_bar = {0.0, 0}, b_bar = {0.0, 0};
    double y, y_bar = 1.0;
    a.link = (uintptr_t)&b, b.link = (uintptr_t)&a;
    a_bar.link = (uintptr_t)&b_bar, b_bar.link = (uintptr_t)&a_bar;
    __enzyme_autodiff((void *)f, enzyme_dup, &a, &a_bar, enzyme_dup, &y, &y_bar);
}

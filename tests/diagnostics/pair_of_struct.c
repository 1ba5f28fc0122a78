// A pair of passes cannot be asked for the adjoint of a struct by value with a pointer in it.
void *__enzyme_virtualreverse(void *);
struct part { double *of; double weight; };
double weighted(struct part a) { return *a.of * a.weight; }
int main(void) { return __enzyme_virtualreverse((void *)weighted) == 0; }

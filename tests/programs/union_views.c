// check: array n=6
// A tagged union: each member is read as it was written.
typedef struct {
    enum { CIRCLE, BOX, TEXT } tag;
    union {
        double radius;
        struct { double width, height; } box;
        char text[16];
    } as;
} Shape;

static double area(const Shape *s)
{
    switch (s->tag) {
    case CIRCLE:
        return 3.14159 * s->as.radius * s->as.radius;
    case BOX:
        return s->as.box.width * s->as.box.height;
    default:
        return s->as.text[0] == 'x' ? 1.0 : 2.0;
    }
}

double objective(const double *x, int n)
{
    Shape shapes[8];
    for (int i = 0; i < n; i++) {
        Shape *s = &shapes[i];
        s->tag = i % 3 == 0 ? CIRCLE : i % 3 == 1 ? BOX : TEXT;
        if (s->tag == CIRCLE) {
            s->as.radius = x[i];
        } else if (s->tag == BOX) {
            s->as.box.width = x[i];
            s->as.box.height = x[i - 1];
        } else {
            s->as.text[0] = 'x';
        }
    }
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += area(&shapes[i]) * (i + 1);
    return sum;
}

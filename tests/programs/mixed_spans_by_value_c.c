#include <math.h>
typedef struct { double x, y; } Vec2;
Vec2 rotate_c(Vec2 v, double angle) { return (Vec2){v.x * cos(angle) - v.y * sin(angle), v.x * sin(angle) + v.y * cos(angle)}; }

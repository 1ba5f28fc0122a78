#define RATE 2.0

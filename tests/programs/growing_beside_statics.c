// check: array n=4,3 tol=4e-3 identity=3e-5 step=0.01
// An array that grows, and holds what a static array and the nodes of a list hold, too: its shadow moves along with it.
#include <stdlib.h>
#include <string.h>

static double bent(double t) { return t * t + 0.1; }
static double cubed(double t) { return t * t * t + 0.2; }

typedef struct {
  double (*shape)(double);
  float sides[3];
  float depth;
  int n;
} block;

struct node {
  block held;
  struct node *next;
};

__attribute__((noinline)) static block made(const double *x, int n, int k) {
  block b;
  memset(&b, 0, sizeof b);
  b.shape = k & 1 ? bent : cubed;
  for (int j = 0; j < 3; j++) b.sides[j] = (float)(x[j % n] * (j + 1));
  b.depth = (float)(x[1 % n] * x[0] + 0.1 * k);
  return b;
}

__attribute__((noinline)) static block changed(block b) {
  b.shape = b.shape == bent ? cubed : bent;
  return b;
}

__attribute__((noinline)) static double value(block b) {
  return b.shape(0.5) * (b.sides[0] * b.sides[1] + b.sides[2]) * (0.5 + b.depth * b.depth);
}

__attribute__((noinline)) static struct node *prepend(struct node *head, block b) {
  struct node *made = malloc(sizeof *made);
  made->held = b;
  made->next = head;
  return made;
}

__attribute__((noinline)) static block listed(block b) {
  struct node *head = NULL;
  for (int i = 0; i < 3; i++) head = prepend(head, i ? changed(head->held) : b);
  block last = head->held;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return last;
}

double objective(const double *x, int n) {
  double sum = 0;
  block a = made(x, n, 1), *grown = NULL;
  size_t room = 0, used = 0;
  for (int i = 0; i < 5; i++) {
    if (used == room) {
      room = room ? 2 * room : 1;
      grown = realloc(grown, room * sizeof *grown);
    }
    grown[used++] = i & 1 ? listed(a) : made(x, n, i);
  }
  for (size_t j = 0; j < used; j++) sum += 0.1 * value(grown[j]);
  free(grown);
  static block memo[2];
  memo[0] = made(x, n, 1);
  memo[1] = changed(memo[0]);
  for (int i = 0; i < 2; i++) sum += 0.4 * value(memo[i]);
  return sum;
}

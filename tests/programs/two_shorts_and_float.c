// check: array n=6 real=float
/* Two short integers and a float in one register, put together by additions that carry nowhere. */

typedef struct {
    short n, m;
    float w;
} Counted;

static Counted counted(Counted c, int k)
{
    c.n = c.n > k ? c.n : k;
    c.w = 0.3f * c.w * c.w + 0.2f;
    c.m = c.n + 1;
    return c;
}

float objective(float *x, int n)
{
    Counted all[4];
    for (int i = 0; i < 4; i++) {
        all[i].w = 0.4f * x[i % n];
        all[i].n = all[i].m = (short)i;
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 4; i++) {
            Counted next = counted(all[i], k);
            all[(i + 1) % 4] = next;
        }
    float sum = 0;
    for (int i = 0; i < 4; i++)
        sum += all[i].w * (all[i].n + all[i].m % 3) * x[i % n];
    return sum;
}

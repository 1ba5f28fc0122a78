extern float __enzyme_fwddiff(void *, ...);

/* the calling convention packs both members into one integer register */
struct term {
    float factor;
    int power;
};

float raised(struct term t)
{
    float product = 1.0f;
    for (int i = 0; i < t.power; i++)
        product *= t.factor;
    return product;
}

int main(int argc, char **argv)
{
    struct term t = {1.5f, argc};
    return __enzyme_fwddiff((void *)raised, t) > 0.0f;
}

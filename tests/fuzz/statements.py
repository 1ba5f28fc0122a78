"""Further statements of the random functions: parts of structs copied, tables of integers, tagged unions, rows of
memory, trees, state machines, loops that data ends, small structs by value, complex and long numbers."""

from __future__ import annotations

MORE_UNARY = ("tan(0.5 * sin({}))", "asin(0.7 * sin({}))", "acos(0.6 * cos({}))", "sinh(0.7 * tanh({}))",
              "cosh(0.5 * sin({}))", "acosh(1.5 + {0} * {0})", "atanh(0.5 * sin({}))", "exp2(-fabs({}))",
              "log10(2.0 + {0} * {0})", "log2(1.5 + {0} * {0})", "erfc({})", "tgamma(1.6 + 0.5 * sin({}))",
              "lgamma(2.5 + sin({}))", "exp(0.4 * sin({}))", "j0({})", "y1(1.5 + {0} * {0})", "fabs({})",
              "ldexp(sin({}), -1)", "floor({}) * 0.1", "rint({}) * 0.1", "trunc({}) * 0.2")  # fmt: skip
MORE_BINARY = ("fmin({}, {})", "fmax({}, {})", "fdim({}, {})", "fma({0}, {1}, {0})", "copysign({}, {})",
               "remainder({}, 1.3 + fabs({}))", "fmod({}, 1.7 + fabs({}))",
               "({0} > {1} ? {0} : {1} * {1})")  # fmt: skip


def more_types(p: str) -> str:
    return (
        f"typedef struct {{ int kind; union {{ double one; struct {{ double p, q; }} two; long at; }} as; }} {p}_V;\n"
        f"typedef struct {p}_T {{ struct {p}_T *left; double v; int n; struct {p}_T *right; }} {p}_T;\n"
        f"typedef struct {{ double d; int k; }} {p}_P;\n"
        f"typedef struct {{ float f; int k; }} {p}_Q;\n"
        f"typedef struct {{ short k; char c; float f, g; }} {p}_M;\n"
        f"NOINLINE static {p}_P {p}_pair({p}_P a, {p}_P b, int k) {{\n"
        f"    {p}_P r = k % 2 ? a : b;\n"
        f"    r.d = sin(a.d * b.d) + 0.1 * b.k;\n"
        f"    r.k += k;\n"
        f"    return r;\n"
        f"}}\n"
        f"NOINLINE static {p}_Q {p}_packed({p}_Q a, {p}_M m) {{\n"
        f"    {p}_Q r = {{a.f * m.g + m.f, a.k + m.k}};\n"
        f"    return r;\n"
        f"}}\n"
        f"NOINLINE static {p}_T *{p}_insert({p}_T *t, double v, int n) {{\n"
        f"    if (!t) {{\n"
        f"        t = malloc(sizeof *t);\n"
        f"        t->left = t->right = NULL;\n"
        f"        t->v = v;\n"
        f"        t->n = n;\n"
        f"    }} else if (v < t->v) {{\n"
        f"        t->left = {p}_insert(t->left, v, n + 1);\n"
        f"    }} else {{\n"
        f"        t->right = {p}_insert(t->right, 0.9 * v + 0.05 * t->v, n + 1);\n"
        f"    }}\n"
        f"    return t;\n"
        f"}}\n"
        f"NOINLINE static double {p}_total({p}_T *t) {{\n"
        f"    if (!t) return 0.1;\n"
        f"    return t->v * {p}_total(t->left) + 0.3 * t->n * sin({p}_total(t->right));\n"
        f"}}\n"
        f"static void {p}_drop({p}_T *t) {{\n"
        f"    if (!t) return;\n"
        f"    {p}_drop(t->left);\n"
        f"    {p}_drop(t->right);\n"
        f"    free(t);\n"
        f"}}\n"
    )


class MoreStatements:
    """Mixed into the generator, whose scope and vocabulary they use."""

    def big(self) -> list[str]:
        return [a for a, length in self.scope.arrays.items() if length >= 3]

    def do_part_copy(self, depth: int) -> None:
        if not self.scope.records:
            self.do_const_copy(depth)
            return
        r, q, array = self.pick(self.scope.records), self.pick(self.scope.records), self.pick(self.big())
        self.say(self.pick((
            f"memmove(&{r}in, &{q}in, sizeof {r}in);",
            f"memmove({r}a, {array}, {self.random.randint(1, 3)} * sizeof(double));",
            f"memmove({array}, &{r}a[1], 2 * sizeof(double));",
            f"memmove(&{r}a[0], &{r}a[1], 2 * sizeof(double));",
            f"memmove(&{r}in.p, &{q}in.q, sizeof(double));",
            f"memmove(&{r}a[1], &{self.pick(self.scope.scalars)}, sizeof(double));",
            f"memset(&{r}in, 0, sizeof {r}in);",
        )))  # fmt: skip

    def do_const_copy(self, _: int) -> None:
        """From constant or active memory, as the data say."""
        target, other = self.pick(self.big()), self.pick(self.big())
        count = self.pick(("2", "3", f"(1 + (int)(2.0 * fabs({self.value()})) % 3)"))
        self.say(f"memmove({target}, {self.condition()} ? {self.constant()} : {other}, {count} * sizeof(double));")

    def do_integers(self, depth: int) -> None:
        """Integers that data make decide which elements take part, and how often."""
        k, i = self.name("k"), self.name("i")
        outer = self.open("")
        self.say(f"int {k}[4];")
        self.say(f"for (int i = 0; i < 4; i++) {k}[i] = (int)(5.0 * fabs({self.value()}) + i) % 4;")
        self.say(f"unsigned {k}m = {k}[0] * 7u ^ ((unsigned){k}[1] << 2);")
        state = self.enter(f"for (int {i} = 0; {i} <= {k}[{k}[2]]; {i}++)", i)
        array = self.pick(self.scope.arrays)
        self.say(f"{array}[({k}[{i} % 4] + {i}) % {self.scope.arrays[array]}] = {self.settled(1)};")
        self.say(f"if ({k}m >> {i} & 1) {self.place()} = {self.settled(1)};")
        self.block(depth - 2)
        self.leave_loop(state)
        self.close(outer)

    def do_data_ends(self, depth: int) -> None:
        t, i = self.name("t"), self.name("i")
        outer = self.open("")
        self.say(f"double {t} = 1.0 + fabs({self.value()});")
        state = self.enter(f"for (int {i} = 0; {t} > 0.4 && {i} < 7; {i}++)", i)
        self.say(f"{t} *= 0.5 + 0.2 * sin({self.value()});")
        self.block(depth - 2)
        self.leave_loop(state)
        self.say(f"{self.place()} = {t};")
        self.close(outer)

    def do_machine(self, depth: int) -> None:
        s, i = self.name("s"), self.name("i")
        outer = self.open("")
        self.say(f"int {s} = {self.random.randint(0, 2)};")
        state = self.enter(f"for (int {i} = 0; {i} < 5; {i}++)", i)
        inner = self.open(f"switch ({s})")
        loops, self.scope.loops = self.scope.loops, 0
        for case in range(3):
            self.say(f"case {case}:;")
            self.block(0)
            self.say(f"{s} = {self.condition()} ? {(case + 1) % 3} : {self.random.randint(0, 3)};")
            self.say("break;")
        self.scope.loops = loops
        self.say("default:;")
        self.say(f"{s} = 0;")
        self.close(inner)
        self.block(depth - 2)
        self.leave_loop(state)
        self.close(outer)

    def do_tagged(self, _: int) -> None:
        v = self.name("v")
        outer = self.open("")
        self.say(f"{self.prefix}_V {v}[4];")
        state = self.enter("for (int i = 0; i < 4; i++)", "i")
        self.say(f"{v}[i].kind = (i + {self.random.randint(0, 2)}) % 3;")
        self.say(f"if ({v}[i].kind == 0) {v}[i].as.one = {self.settled(1)};")
        self.say(f"else if ({v}[i].kind == 1) {v}[i].as.two.p = {self.value()}, {v}[i].as.two.q = {self.value()};")
        self.say(f"else {v}[i].as.at = i;")
        self.leave_loop(state)
        if self.chance(0.5):
            self.say(f"{v}[0] = {v}[{self.random.randint(1, 3)}];")
        array = self.pick(self.scope.arrays)
        state = self.enter("for (int i = 0; i < 4; i++)", "i")
        self.say(f"if ({v}[i].kind == 0) {self.place()} = {v}[i].as.one;")
        self.say(f"else if ({v}[i].kind == 1) {self.place()} = {v}[i].as.two.p * {v}[i].as.two.q;")
        self.say(f"else {self.place()} += 0.1 * {array}[{v}[i].as.at % {self.scope.arrays[array]}];")
        self.leave_loop(state)
        self.close(outer)

    def do_rows(self, depth: int) -> None:
        rows, i = self.name("rows"), self.name("i")
        returns, self.returns = self.returns, None
        outer = self.open("")
        self.say(f"double **{rows} = malloc(3 * sizeof *{rows});")
        self.say(f"for (int i = 0; i < 3; i++) {rows}[i] = malloc((3 + i) * sizeof **{rows});")
        self.say(
            f"for (int i = 0; i < 3; i++) for (int j = 0; j < 3 + i; j++) {rows}[i][j] = {self.value()} * (i + j);"
        )
        state = self.enter(f"for (int {i} = 0; {i} < 3; {i}++)", i)
        self.scope.loops = 0
        self.scope.arrays |= {f"{rows}[{i}]": 3, f"{rows}[2 - {i}]": 3}
        self.say(f"if ({self.condition()}) {{ double *t = {rows}[0]; {rows}[0] = {rows}[{i}]; {rows}[{i}] = t; }}")
        self.block(depth - 1)
        self.leave_loop(state)
        self.say(
            f"for (int i = 0; i < 3; i++) {self.pick(self.scope.scalars)} += 0.2 * {rows}[i][2 - i] * {rows}[i][0];"
        )
        self.say(f"for (int i = 0; i < 3; i++) free({rows}[i]);")
        self.say(f"free({rows});")
        self.close(outer)
        self.returns = returns

    def do_tree(self, _: int) -> None:
        t, p = self.name("t"), self.prefix
        outer = self.open("")
        self.say(f"{p}_T *{t} = NULL;")
        array = self.pick(self.scope.arrays)
        self.say(f"for (int i = 0; i < {self.scope.arrays[array]}; i++) {t} = {p}_insert({t}, {array}[i], 1);")
        self.say(f"{self.place()} = tanh({p}_total({t}));")
        self.say(f"{p}_drop({t});")
        self.close(outer)

    def do_blocks(self, depth: int) -> None:
        """Structs on the heap, moved when they become more."""
        s, i, p = self.name("s"), self.name("i"), self.prefix
        returns, self.returns = self.returns, None
        outer = self.open("")
        target = self.pick(self.big())
        self.say(f"{p}_S *{s} = calloc(1, sizeof *{s});")
        self.say(f"{s}[0].ptr = {target};")
        state = self.enter(f"for (int {i} = 1; {i} < 4; {i}++)", i)
        self.scope.loops = 0
        self.say(f"{s} = realloc({s}, ({i} + 1) * sizeof *{s});")
        self.say(f"{s}[{i}] = {s}[{i} / 2];")
        self.say(f"{s}[{i}].v += {self.value()};")
        self.scope.records.append(f"{s}[{i}].")
        self.block(depth - 2)
        self.leave_loop(state)
        self.say(f"for (int i = 0; i < 4; i++) {self.place()} += 0.1 * {s}[i].v * {s}[i].ptr[0];")
        self.say(f"free({s});")
        self.close(outer)
        self.returns = returns

    def do_sorted(self, _: int) -> None:
        e = self.name("e")
        outer = self.open("")
        array = self.pick(self.big())
        self.say(f"double {e}[3];")
        self.say(f"memcpy({e}, {array}, sizeof {e});")
        state = self.enter("for (int i = 0; i < 2; i++)", "i")
        inner = self.enter("for (int j = 0; j < 2 - i; j++)", "j")
        self.say(f"if ({e}[j] > {e}[j + 1]) {{ double t = {e}[j]; {e}[j] = {e}[j + 1]; {e}[j + 1] = t; }}")
        self.leave_loop(inner)
        self.leave_loop(state)
        self.say(f"{self.place()} = {e}[0] - 0.5 * {e}[2] * {e}[1];")
        self.close(outer)

    def do_by_value(self, _: int) -> None:
        a, p = self.name("a"), self.prefix
        outer = self.open("")
        if not self.scope.floats or self.chance(0.5):
            self.say(f"{p}_P {a} = {{{self.value()}, 2}};")
            state = self.enter("for (int i = 0; i < 3; i++)", "i")
            self.say(f"{a} = {p}_pair({a}, ({p}_P){{{self.value()}, i}}, i);")
            self.leave_loop(state)
            self.say(f"{self.place()} = {a}.d * {a}.k * 0.1;")
        else:
            self.say(f"{p}_Q {a} = {{0.4f * f, 1}};")
            state = self.enter("for (int i = 0; i < 3; i++)", "i")
            self.say(f"{a} = {p}_packed({a}, ({p}_M){{i, 2, (float)sin({self.value()}), 0.5f * f}});")
            self.leave_loop(state)
            self.say(f"{self.place()} = 0.2 * {a}.f * ({a}.k % 3);")
        self.close(outer)

    def do_complex(self, _: int) -> None:
        z = self.name("z")
        outer = self.open("")
        self.say(f"double complex {z} = {self.value()} + {self.value()} * I;")
        form = self.pick(("csin({z}) * 0.3", "cexp(0.3 * {z})", "{z} * {z} + 0.2", "{z} / (2.0 + {z} * conj({z}))",
                          "csqrt(1.7 + {z} * {z})"))  # fmt: skip
        self.say(f"{z} = {form.format(z=z)};")
        self.say(f"{self.place()} = tanh(creal({z}) - 0.4 * cimag({z}));")
        self.say(f"{self.place()} = sin(cabs({z} + 2.0));")
        self.close(outer)

    def do_precisions(self, depth: int) -> None:
        if not self.scope.floats:
            self.do_assign(depth)
            return
        self.say(self.pick((
            f"f = sinf(f) * 0.7f + (float)({self.value()}) * 0.1f;", "l = tanhl(l) + 0.2L * f;",
            f"l = 0.5L * l + sqrtl(1.5L + ({self.value()}) * ({self.value()}));",
            "f = expf(-fabsf(f)) + 0.1f * (float)l;",
            f"f = powf(1.5f + 0.2f * sinf(f), 0.7f); {self.place()} = sin((double)f);",
            f"{self.place()} = (double)tanhl(l * f);")))  # fmt: skip

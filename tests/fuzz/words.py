"""Random C functions whose words in memory are numbers at times, and integers or pointers at others: tagged unions that
are moved, halved, swapped, counted on and computed with.

What a word is, its tag says, which never depends on the numbers, so that the functions are smooth. Moves take no notice
of it: one register holds bits of a number for one word and a count for another.
"""

from __future__ import annotations

import random

_NUMBER = (
    "{w}.d = sin({w}.d) + 0.3;", "{w}.d *= 0.7 * {x};", "{w}.d += 0.2 * {x} * {x};", "{w}.u ^= 1ull << 63;",
    "{w}.u &= ~(1ull << 63);", "{x} += 0.1 * {w}.d;", "{w}.d = {w}.d / (1.5 + {x} * {x});", "{w}.d = {x};",
    "{s} += {w}.d * {v}.n;",
)  # fmt: skip
_COUNT = (
    "{w}.u += {k};", "{w}.u = {w}.u * 3 + 1;", "{w}.h.lo = {k};", "{w}.h.hi ^= 7;", "{w}.u = {w}.u >> 3 | 5;",
    "{w}.u = {w}.u > 9 ? 9 : {w}.u;", "{w}.u = ({w}.u + 3) % 17;", "{w}.b[2] = 3;", "{w}.h.lo++;",
    "{s} += 0.01 * {x} * ({w}.u % 7);", "{w}.u = {k};", "{v}.n += (int)({w}.u & 3);",
    "{x} *= {w}.h.lo % 3 ? 0.9 : 1.1;",
)  # fmt: skip
_TURN = (
    "if ({w}.t == 1) {{ {w}.w.d = 0.1 * (double)({w}.w.u % 11) + {x}; {w}.t = 0; }}",
    "if ({w}.t == 0) {{ {s} += {w}.w.d; {w}.w.u = {k} + 2; {w}.t = 1; }}",
    "if ({w}.t == 1) {w}.w.d = {x} * {s}, {w}.t = 0; else {w}.w.u = 4, {w}.t = 1;",
    "if ({w}.t == 1) {{ {w}.w.h.lo = 5; {w}.w.h.hi = {k}; }}",
)  # fmt: skip
_POINTER = (
    "{s} += 0.1 * *{w}.p;", "*{w}.p = 0.8 * sin(*{w}.p);", "{w}.p = &{x};", "{x} += 0.1 * *{w}.p;",
    "{w}.p = *{w}.p > 9.0 ? &{x} : {w}.p;", "*{w}.p += 0.05 * {x} * {v}.n;",
)  # fmt: skip
_POINT = (
    "{w}.w.p = &{x}; {w}.t = 2;", "if ({w}.t == 2) {{ {w}.w.d = *{w}.w.p; {w}.t = 0; }}",
    "if ({w}.t == 1) {{ {w}.w.p = x + {w}.w.u % 3; {w}.t = 2; }}",
    "if ({w}.t == 2) {{ {w}.w.u = {w}.w.p == x; {w}.t = 1; }}",
)  # fmt: skip
_MOVE = (
    "{{ {W} m = {w}; {w} = {v}; {v} = m; }}",
    "{v}.w.u = {w}.w.u; {v}.t = {w}.t;",
    "{v}.w.h = {w}.w.h; {v}.t = {w}.t;",
    "{v}.w.h.lo = {w}.w.h.lo; {v}.w.h.hi = {w}.w.h.hi; {v}.t = {w}.t;",
    "memcpy(&{v}.w, &{w}.w, 8); {v}.t = {w}.t;",
    "memmove(&{v}, &{w}, sizeof {v});",
    "{{ unsigned char b[8]; memcpy(b, &{w}.w, 8); for (int q = 0; q < 8; q++) {v}.w.b[q] = b[q]; {v}.t = {w}.t; }}",
    "{{ uint64_t u = {w}.w.u; if ({w}.t == 1) u += 3; {v}.w.u = u; {v}.t = {w}.t; }}",
    "{{ uint64_t u = {w}.t == 1 ? {k} : {w}.w.u; {v}.w.u = u; {v}.t = {w}.t; }}",
    "{{ uint64_t u = {w}.w.u; {w}.w.u = {v}.w.u; {v}.w.u = u; int t = {w}.t; {w}.t = {v}.t; {v}.t = t; }}",
    "{{ uint64_t u = {p}_pass({w}.w.u, {k}, {w}.t); {v}.w.u = u; {v}.t = {w}.t; }}",
    "{v} = {p}_made({w}, {x}, {k});",
    "{p}_changed(&{v}, {x}, {k});",
    "{{ {W} *q = {k} % 2 ? &{v} : &{w}; if (q->t == 1) q->w.u++; else if (q->t == 0) q->w.d += {x}; }}",
    ("{{ uint32_t lo = (uint32_t){w}.w.u, hi = (uint32_t)({w}.w.u >> 32); {v}.w.u = (uint64_t)hi << 32 | lo; "
    "{v}.t = {w}.t; }}"),
    "{v}.w.u = __builtin_bswap64(__builtin_bswap64({w}.w.u)); {v}.t = {w}.t;",
    "{v}.w.u = {w}.t == 1 ? {w}.w.u * 5 % 13 : {w}.w.u; {v}.t = {w}.t;",
    "{{ {P} z = {p}_pair({w}, {v}); {v}.w.u = z.a; {w}.w.u = z.b; int t = {w}.t; {w}.t = {v}.t; {v}.t = t; }}",
)  # fmt: skip
_LAYOUTS = ("int t; int n; {U} w;", "{U} w; int t; int n;", "char t; {U} w; short n;", "long t; {U} w; long n;")


class _Words:
    def __init__(self, seed: int, prefix: str, *, fixed: bool) -> None:
        self.fixed = fixed
        self.points = seed % 4 == 1
        """Are some words pointers?"""
        self.turns = _TURN + _POINT if self.points else _TURN
        self.random = random.Random(seed)
        self.prefix = prefix
        self.depth = 0

    def index(self) -> str:
        return self.random.choice(("i", "(i + 1) % 6", "(i + k) % 6", "k % 6", str(self.random.randrange(6)), "5 - i"))

    def line(self, among: str) -> str:
        """A statement on one or two words of the array `among`."""
        p, pick = self.prefix, self.random.choice
        w, v = (f"{among}[{self.index()}]" for _ in range(2))
        given = {
            "x": f"x[{pick(('i % n', 'k % n', '0', '(i + 2) % n'))}]", "s": "s", "k": pick(("k", "i", "(i + k)")),
            "p": p, "W": f"{p}_W", "P": f"{p}_P",
        }  # fmt: skip
        kind = self.random.random()
        if kind < 0.4:
            return self.switched(w, {"w": f"{w}.w", "v": w, **given})
        return pick(self.turns if kind < 0.55 else _MOVE).format(w=w, v=v, **given)

    def switched(self, word: str, given: dict[str, str], *, stays: bool = False) -> str:
        """A statement on each that a word may be; with `stays` none that keeps the address of what is given."""
        pointers = [text for text in _POINTER if not stays or "&" not in text]
        number, count, pointer = (self.random.choice(texts).format(**given) for texts in (_NUMBER, _COUNT, pointers))
        last = f"else {{ {pointer} }}" if self.points else ""
        return f"if ({word}.t == 0) {{ {number} }} else if ({word}.t == 1) {{ {count} }} {last}"

    def body(self, among: str, most: int, indent: str) -> str:
        lines = []
        for _ in range(self.random.randint(1, most)):
            text = self.line(among)
            if self.random.random() < 0.3:
                text = f"if ((i + k) % {self.random.choice((2, 3))} == 0) {{ {text} }}"
            lines.append(indent + text)
        return "\n".join(lines)

    def program(self) -> str:
        p, pick, chance = self.prefix, self.random.choice, self.random.random
        layout = pick(_LAYOUTS).format(U=f"{p}_U")
        keep = [pick(("NOINLINE ", "")) for _ in range(4)]
        passed = {"w": "w->w", "v": "(*w)", "x": "*by", "k": "k", "s": "*by"}
        change = "\n".join("    " + self.switched("(*w)", passed, stays=True) for _ in range(2))
        halves = "struct { uint32_t lo, hi; } h"
        union = f"union {{ double d; uint64_t u; {halves}; unsigned char b[8]; {'double *p; ' * self.points}}}"
        room = f"{p}_W *w = malloc(6 * sizeof *w);" if chance() < 0.5 else f"{p}_W w[6];"
        swap = chance() < 0.3
        loops = self.random.randint(2, 4)
        turns = pick(("3", "n - 2", "4"))
        return f"""typedef {union} {p}_U;
typedef struct {{ {layout} }} {p}_W;
typedef struct {{ uint64_t a, b; }} {p}_P;
{keep[0]}static uint64_t {p}_pass(uint64_t u, int k, int t) {{ return t == 1 ? u + k : u; }}
{keep[1]}static {p}_W {p}_made({p}_W w, double x, int k) {{
    if (w.t == 1) {{ {pick(_COUNT).format(w="w.w", v="w", x="x", s="x", k="k")} }}
    else if (w.t == 0) w.w.d = w.w.d * 0.6 + x;
    return w;
}}
{keep[2]}static void {p}_changed({p}_W *w, double b, int k) {{
    double *by = &b;
{change}
}}
{keep[3]}static {p}_P {p}_pair({p}_W w, {p}_W v) {{ {p}_P z = {{ w.w.u, v.w.u }}; return z; }}
double {p}(double *x, double *y, int n) {{
    double s = 0.3 * y[1];
    {room}
    for (int i = 0; i < 6; i++) {{
        w[i].t = i % {3 if self.points else 2}; w[i].n = i;
        if (w[i].t == 0) w[i].w.d = x[i % n] * 0.5 + 0.1 * i; else w[i].w.u = i * 7;
        {"if (w[i].t == 2) w[i].w.p = &x[i % n];" if self.points else ""}
    }}
    for (int k = 0; k < {turns}; k++) {{
        for (int i = 0; i < 6; i++) {{
{self.body("w", loops, "            ")}
        }}
        {"for (int i = 0; i < n; i++) x[i] = sin(x[i]);" if swap else "s = sin(s) + 0.2 * y[k % 4];"}
    }}
    for (int i = 0; i < 6; i++) {{
        {"if (w[i].t == 2) { s += 0.3 * *w[i].w.p; continue; }" if self.points else ""}
        if (w[i].t) {"s" if self.fixed else "y[i % 4]"} += 0.05 * s * (double)(w[i].w.u % 9);
        else s += 0.4 * sin(w[i].w.d) * (1 + w[i].n % 3);
    }}
    for (int i = 0; i < n; i++) s += 0.2 * sin(x[i]);
    {"free(w);" if "malloc" in room else ""}
    return s;
}}
"""


_NARROW = (
    ("union { double d; uint64_t u; struct { uint32_t lo, hi; } h; unsigned char b[8]; }",
     "union { float d; uint32_t u; struct { uint16_t lo, hi; } h; unsigned char b[4]; /* ; rounds */ }"),
    ("uint32_t", "uint16_t"), ("uint64_t", "uint32_t"), (">> 32", ">> 16"), ("<< 32", "<< 16"),
    ("1ull << 63", "1u << 31"),
    ("bswap64", "bswap32"), ("w, 8)", "w, 4)"), ("b[8]", "b[4]"), ("q < 8", "q < 4"),
)  # fmt: skip


def random_words(seed: int, prefix: str, *, fixed: bool = False) -> str:
    """The text of one function with all that it uses, without HEAD. `fixed`: y is only read. In every fourth the words
    are floats, in others pointers, too."""
    text = _Words(seed, prefix, fixed=fixed).program()
    for wide, narrow in _NARROW if seed % 4 == 0 else ():
        text = (
            text.replace(wide, narrow)
            if "union" in wide
            else "".join(
                line if line.startswith("typedef union") else line.replace(wide, narrow)
                for line in text.splitlines(keepends=True)
            )
        )
    return text

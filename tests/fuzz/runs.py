"""Statements of the random functions about memory whose length and content are known at run time only: structs that end
in an array of any length, records that lie behind one another in an arena or in a journal of bytes, and what copies
such memory as a whole or in part."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADS = {
    "v": "double", "n": "int", "m": "long", "q": "double *", "s": "short", "w": "float", "t": "char", "u": "double",
}  # fmt: skip
_ITEMS = {
    "double": ("double", "{}"), "int": ("int", ""), "short": ("short", ""), "long": ("long", ""), "char": ("char", ""),
    "float": ("float", "{}"), "double *": ("double *", "*{}"),
    "struct { double a; int k; }": ("", "{}.a"), "struct { int k; double a; }": ("", "{}.a"),
    "struct { double *p; int k; }": ("", "*{}.p"), "struct { int k; double *p; }": ("", "*{}.p"),
    "struct { double a; double *p; }": ("", "{}.a"), "struct { float w; int k; }": ("", "{}.w"),
    "struct { double a, b; long k; }": ("", "{}.b"), "struct { double a; char t[8]; }": ("", "{}.a"),
}  # fmt: skip
_WORDS = (
    "size_t at = 0; for (; at + 8 <= bytes; at += 8) { uint64_t w; memcpy(&w, (const char *)from + at, 8);"
    " memcpy((char *)to + at, &w, 8); } memcpy((char *)to + at, (const char *)from + at, bytes - at);"
)


@dataclass
class _Run:
    """A struct type that ends in an array of any length."""

    head: list[str]
    item: str

    @property
    def number(self) -> str:
        """How the number of an element is written, with a mark for the element; nothing, where it has none."""
        return _ITEMS[self.item][1]


class RunStatements:
    """Mixed into the generator, whose scope and vocabulary they use."""

    @contextmanager
    def _freed_at_end(self) -> Iterator[None]:
        """A block that is left at its end only, where what it allocated is freed."""
        returns, self.returns = self.returns, None
        outer = self.open("")
        self.scope.loops = 0
        yield
        self.close(outer)
        self.returns = returns

    def run_types(self) -> str:
        """One such struct, and functions that copy it."""
        p = self.prefix
        heads = [name for name in _HEADS if not self.precise or name != "w"]
        items = [item for item in _ITEMS if not self.precise or "float" not in item]
        head = self.random.sample(heads, self.random.randint(1, 4))
        if not {"n", "m", "s"} & set(head):
            head.insert(self.random.randrange(len(head) + 1), "n")
        self.run = _Run(head, self.pick(items))
        members = " ".join(f"{_HEADS[name]} {name};" for name in head)
        item = self.run.item if not self.run.item.startswith("struct") else f"{p}_I"
        types = f"typedef {self.run.item} {p}_I;\n" if item.startswith(p) else ""
        self.run_item = item
        keep = self.pick(("NOINLINE ", "NOINLINE ", "static "))
        copy = self.pick((
            "memcpy(to, from, bytes);", "memmove(to, from, bytes);",
            "for (size_t i = 0; i < bytes; i++) ((char *)to)[i] = ((const char *)from)[i];",
            _WORDS,
        ))  # fmt: skip
        return (
            f"{types}typedef struct {{ {members} {item} items[]; }} {p}_R;\n"
            f"{keep}void {p}_move(void *to, const void *from, size_t bytes) {{ {copy} }}\n"
            f"{keep}void {p}_exchange(void *one, void *other, size_t bytes) {{ char *a = one, *b = other;"
            f" for (size_t i = 0; i < bytes; i++) {{ char t = a[i]; a[i] = b[i]; b[i] = t; }} }}\n"
            f"{keep}{p}_R *{p}_again(const {p}_R *r, int k, int room) {{\n"
            f"    {p}_R *new = calloc(1, sizeof *new + (k + room) * sizeof({item}));\n"
            f"    {p}_move(new, r, sizeof *r + k * sizeof({item}));\n"
            f"    return new;\n"
            f"}}\n"
        )

    def _set_item(self, element: str, i: str) -> str:
        """Statements that give every member of an element a value."""
        number, target = self.value(), self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
        pointer = f"{target} + {self.pick(('0', f'{i} % 3', '1'))}"
        texts = []
        match self.run.item:
            case "double" | "float":
                return f"{element} = 0.5 * {number};"
            case "double *":
                return f"{element} = {pointer};"
            case "int" | "short" | "long" | "char":
                return f"{element} = {i} + 1;"
        for name, text in (("double a", f"0.5 * {number}"), (", b;", f"0.3 * {number}"), ("float w", f"0.5f * {i}"),
                           ("*p", pointer), (" k;", f"{i} + 2"), ("char t", "")):  # fmt: skip
            if name in self.run.item:
                member = {"double a": "a", ", b;": "b", "float w": "w", "*p": "p", " k;": "k", "char t": "t[0]"}[name]
                texts.append(f"{element}.{member} = {text or i};")
        return " ".join(texts)

    def _count_of(self, element: str) -> str:
        """The integer of an element."""
        match self.run.item:
            case "int" | "short" | "long" | "char":
                return f"{element} % 3"
            case item if " k;" in item:
                return f"{element}.k % 3"
            case item if "char t" in item:
                return f"{element}.t[0] % 3"
        return "1"

    def _fill_run(self, r: str, count: str) -> None:
        target = self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
        pointer = f"{target} + {self.pick(('0', 'n % 2'))}"
        values = {"v": self.value(), "u": self.value(), "q": pointer, "w": "0.5f", "t": "2"}
        values |= dict.fromkeys("nms", count)
        self.say(" ".join(f"{r}->{name} = {values[name]};" for name in self.run.head))
        self.say(f"for (int i = 0; i < {count}; i++) {{ {self._set_item(f'{r}->items[i]', 'i')} }}")

    def _use_run(self, r: str, count: str) -> None:
        """Takes what a run has into numbers, and its numbers into the scope."""
        for name in self.run.head:
            match name:
                case "v" | "u" | "w":
                    self.say(f"{self.place()} += 0.3 * {r}->{name};")
                case "q":
                    self.say(f"{self.place()} += 0.2 * {r}->q[0];")
                case _:
                    self.say(f"{self.place()} += 0.01 * {r}->{name};")
        element = f"{r}->items[i]"
        number = self.run.number.format(element) or "0.1"
        each = f"0.1 * {number} * ({self._count_of(element)} + 1)"
        self.say(f"for (int i = 0; i < {count}; i++) {self.place()} += {each};")

    def _change_run(self, r: str, i: str, count: str) -> None:
        choices = [f"{r}->{name} = {self.settled(1)};" for name in "vu" if name in self.run.head]
        choices += [f"{r}->q[{self.index(2)}] = {self.settled(1)};"] if "q" in self.run.head else []
        at = f"({i} + {self.random.randint(0, 2)}) % {count}"
        element = f"{r}->items[{at}]"
        if self.run.number:
            choices += [f"{self.run.number.format(element)} = {self.settled(1)};"] * 2
        choices += [f"{r}->items[{at}] = {r}->items[{i} % {count}];", f"{{ {self._set_item(element, i)} }}"]
        self.say(self.pick(choices))

    def do_run(self, depth: int) -> None:
        """A run that is copied, grown and changed."""
        r, s, k, i = (self.name(name) for name in "rski")
        p = self.prefix
        with self._freed_at_end():
            size = f"sizeof(*{r}) + {{}} * sizeof({self.run_item})"
            self.say(f"int {k} = {self.pick(('3', 'n', '1 + n % 3', '2'))};")
            self.say(f"{p}_R *{r} = malloc({size.format(k)});")
            self._fill_run(r, k)
            state = self.enter(f"for (int {i} = 0; {i} < {self.pick(('2', '3', 'n / 2'))}; {i}++)", i)
            self.scope.loops = 0
            self._change_run(r, i, k)
            match self.pick(("again", "again", "grow", "copy", "tail", "head", "both", "window", "order")):
                case "again":
                    self.say(f"{p}_R *{s} = {p}_again({r}, {k}, {self.pick(('0', '1', i))});")
                    self._change_run(s, i, k)
                    self.say(self.pick((f"free({r}); {r} = {s};", f"{p}_move({r}, {s}, {size.format(k)}); free({s});")))
                case "grow":
                    self.say(f"{r} = realloc({r}, {size.format(f'({k} + 1)')});")
                    self.say(f"{r}->items[{k}] = {r}->items[{i} % {k}];")
                    self.say(f"{k}++;")
                case "copy":
                    copy = self.pick(("memcpy", "memmove", f"{p}_move"))
                    self.say(f"{p}_R *{s} = malloc({size.format(f'({k} + {i})')});")
                    self.say(f"{copy}({s}, {r}, {size.format(k)});")
                    self._change_run(s, i, k)
                    self._use_run(s, k)
                    self.say(f"free({s});")
                case "tail":
                    self.say(f"{p}_R *{s} = malloc({size.format(k)});")
                    self.say(f"*{s} = *{r};")
                    self.say(f"memcpy({s}->items, {r}->items, {k} * sizeof {s}->items[0]);")
                    self._change_run(s, i, k)
                    self.say(f"free({r}); {r} = {s};")
                case "head":
                    self.say(f"{p}_R {s} = *{r};")
                    self._change_run(r, i, k)
                    self.say(f"*{r} = {s};")
                case "order":
                    self.say(f"{p}_exchange(&{r}->items[{i} % {k}], &{r}->items[{k} - 1], sizeof {r}->items[0]);")
                    if self.run.number and self.chance(0.5):
                        a, b = (self.run.number.format(f"{r}->items[{at}]") for at in ("i", "i - 1"))
                        order = f"{p}_exchange(&{r}->items[i], &{r}->items[i - 1], sizeof {r}->items[0]);"
                        self.say(f"for (int i = 1; i < {k}; i++) if ({a} < {b}) {order}")
                case "both":
                    self.say(f"char *{s} = malloc(2 * ({size.format(k)} + 16));")
                    self.say(f"size_t b{s} = ({size.format(k)} + 15) / 16 * 16;")
                    self.say(f"memcpy({s}, {r}, {size.format(k)});")
                    self.say(f"memcpy({s} + b{s}, {r}, {size.format(k)});")
                    self._change_run(f"(({p}_R *)({s} + b{s}))", i, k)
                    self._use_run(f"(({p}_R *)({s} + ({i} % 2) * b{s}))", k)
                    self.say(f"free({s});")
                case _:
                    self.say(f"memmove({r}->items, {r}->items + {k} / 2, ({k} - {k} / 2) * sizeof {r}->items[0]);")
            if self.chance(0.3):
                self.block(depth - 2)
            self.leave_loop(state)
            self._use_run(r, k)
            self.say(f"free({r});")

    def do_arena(self, depth: int) -> None:
        """Runs behind one another in one block of bytes, which may be moved as a whole."""
        a, top, k, i, r = (self.name(name) for name in ("a", "top", "k", "i", "r"))
        p = self.prefix
        with self._freed_at_end():
            size = f"((sizeof({p}_R) + {{}} * sizeof({self.run_item}) + 15) / 16 * 16)"
            self.say(f"char *{a} = {self.pick(('malloc(8192)', 'calloc(1, 8192)'))};")
            self.say(f"size_t {top} = 0;")
            self.say(f"for (int {i} = 0; {i} < 3; {i}++) {{")
            self.depth += 1
            self.say(f"int {k} = {self.pick(('3', f'{i} + 1', f'1 + ({i} + n) % 3'))};")
            self.say(f"{p}_R *{r} = ({p}_R *)({a} + {top});")
            self._fill_run(r, k)
            self.say(f"{top} += {size.format(k)};")
            self.depth -= 1
            self.say("}")
            count = f"{r}->{next(name for name in self.run.head if name in 'nms')}"
            if self.chance(0.5):
                self.say(self.pick((
                    f"{{ char *moved = malloc(8192); memcpy(moved, {a}, {top}); free({a}); {a} = moved; }}",
                    f"{{ char *moved = malloc(8192); {p}_move(moved, {a}, {top}); free({a}); {a} = moved; }}",
                    f"{a} = realloc({a}, {top});",
                )))  # fmt: skip
            state = self.enter(f"for (size_t {i} = 0; {i} < {top};)", None)
            self.scope.loops = 0
            self.say(f"{p}_R *{r} = ({p}_R *)({a} + {i});")
            self.say(f"int {k} = (int){count};")
            self._change_run(r, "0", k)
            if self.chance(0.3):
                self.block(depth - 2)
            self._use_run(r, k)
            self.say(f"{i} += {size.format(k)};")
            self.leave_loop(state)
            self.say(f"free({a});")

    def do_journal(self, depth: int) -> None:
        """What was overwritten, alone or behind its address, one behind another in bytes; it is read backwards."""
        j, top, i, e = (self.name(name) for name in ("j", "top", "i", "e"))
        with self._freed_at_end():
            alone = self.pick((True, False))
            self.say(f"char *{j} = malloc(4096);")
            self.say(f"size_t {top} = 0;")
            state = self.enter(f"for (int {i} = 0; {i} < {self.pick(('3', '2', 'n'))}; {i}++)", i)
            self.scope.loops = 0
            place = self.element()
            if alone:
                self.say(f"{{ double {e} = {place}; memcpy({j} + {top}, &{e}, 8); {top} += 8; "
                         f"{place} = {self.settled(1)}; }}")  # fmt: skip
            else:
                self.say(f"if ({self.condition()}) {{ double *{e} = &{place}; memcpy({j} + {top}, &{e}, 8); "
                         f"memcpy({j} + {top} + 8, {e}, 8); {top} += 16; *{e} = {self.settled(1)}; }}")  # fmt: skip
            self.leave_loop(state)
            if self.chance(0.5):
                self.block(depth - 2)
            if alone:
                self.say(f"while ({top}) {{ double {e}; {top} -= 8; memcpy(&{e}, {j} + {top}, 8); "
                         f"{self.place()} += 0.3 * {e}; }}")  # fmt: skip
            else:
                self.say(f"while ({top}) {{ double *{e}; {top} -= 16; memcpy(&{e}, {j} + {top}, 8); "
                         f"memcpy({e}, {j} + {top} + 8, 8); }}")  # fmt: skip
            self.say(f"free({j});")

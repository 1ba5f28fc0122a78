"""Random nests of loops with reads and writes: their IR, and the addresses in the order of execution."""

from __future__ import annotations

from dataclasses import dataclass, field

SIZES = ("n", "m")


@dataclass
class Access:
    kind: str
    terms: list[tuple[int, tuple[str, ...]]]
    number: int


@dataclass
class Loop:
    name: str
    start: list[tuple[int, tuple[str, ...]]]
    stop: list[tuple[int, tuple[str, ...]]]
    step: int
    rotated: bool
    body: list[object] = field(default_factory=list)


def evaluate(terms, values):
    total = 0
    for coefficient, names in terms:
        product = coefficient
        for name in names:
            product *= values[name]
        total += product
    return total


def random_nest(r):
    """(statements, number of accesses); up to three loops deep, over the sizes n and m."""
    accesses = 0
    loops = 0

    def linear(names, most=2):
        chosen = [(1, (r.choice(names),))] if names and r.random() < 0.8 else []
        if len(names) > 1 and r.random() < 0.3 and most > 1:
            chosen.append((r.choice([1, -1]), (r.choice(names),)))
        return [*chosen, (r.choice([0, 0, 0, 1, -1, 2]), ())]

    def address(names):
        if not names:
            return [(1, (r.choice(SIZES),)), (r.randint(-1, 3), ())]
        row, column = r.choice(names), r.choice(names)
        kind = r.random()
        if kind < 0.35:
            terms = [(1, (row, r.choice(SIZES))), (1, (column,))]
        elif kind < 0.5:
            terms = [(r.choice([2, 3, 10]), (row,)), (1, (column,))]
        elif kind < 0.6:
            terms = [(1, (row, "n", "m")), (1, (column, "m")), (1, (r.choice(names),))]
        else:
            terms = [(r.choice([1, 1, 1, 2, -1]), (row,))]
        return [*terms, (r.choice([0, 0, 0, 1, -1, 2]), ())]

    def access(kind, names):
        nonlocal accesses
        accesses += 1
        return Access(kind, address(names), accesses)

    def body(names, depth):
        nonlocal loops
        statements = [access(r.choice(["load", "store"]), names) for _ in range(r.randint(1, 2))]
        if depth < 3 and r.random() < (0.9 if depth else 1.0):
            for _ in range(r.choice([1, 1, 2])):
                loops += 1
                name = f"i{loops}"
                down = r.random() < 0.25
                low = linear(names, 1) if r.random() < 0.5 else [(r.choice([0, 0, 1]), ())]
                high = [(1, (r.choice([*SIZES, *names]),)), (r.choice([0, 0, -1, 1]), ())]
                step = r.choice([1, 1, 1, 2])
                loop = Loop(
                    name, high if down else low, low if down else high, -step if down else step, r.random() < 0.5
                )
                loop.body = body([*names, name], depth + 1)
                statements.append(loop)
            if r.random() < 0.3:
                statements.append(access(r.choice(["load", "store"]), names))
        return statements

    return body([], 0), accesses


def run(statements, values):
    """(kind, number of the access, element) in the order of execution."""
    for statement in statements:
        if isinstance(statement, Access):
            yield statement.kind, statement.number, evaluate(statement.terms, values)
            continue
        at, stop = evaluate(statement.start, values), evaluate(statement.stop, values)
        while at < stop if statement.step > 0 else at > stop:
            yield from run(statement.body, {**values, statement.name: at})
            at += statement.step


class Writer:
    """The IR of a nest: `f(p, n, m)`, elements of 8 bytes."""

    def __init__(self, wide, split):
        self.split = split
        self.lines = []
        self.count = 0
        self.block = "entry"
        self.type = "i64" if wide else "i32"

    def new(self, text):
        self.count += 1
        self.lines.append(f"  %t{self.count} = {text}")
        return f"%t{self.count}"

    def label(self, name):
        self.lines.append(f"{name}:")
        self.block = name

    def value(self, terms, values):
        total = None
        for coefficient, names in terms:
            product = str(coefficient)
            for name in names:
                product = self.new(f"mul nsw i64 {values[name]}, {product}") if product != "1" else values[name]
            total = product if total is None else self.new(f"add nsw i64 {total}, {product}")
        return total

    def statements(self, statements, values):
        for statement in statements:
            if isinstance(statement, Access):
                pointer = self.address(statement.terms, values)
                if statement.kind == "load":
                    self.lines.append(f"  %a{statement.number} = load double, ptr {pointer}")
                else:
                    self.lines.append(f"  store double {statement.number}.0, ptr {pointer}")
            elif statement.rotated:
                self.rotated(statement, values)
            else:
                self.tested_first(statement, values)

    def address(self, terms, values):
        if not self.split:
            return self.new(f"getelementptr inbounds double, ptr %p, i64 {self.value(terms, values)}")
        pointer = "%p"
        for term in terms:
            pointer = self.new(f"getelementptr double, ptr {pointer}, i64 {self.value([term], values)}")
        return pointer

    def tested_first(self, loop, values):
        name = loop.name
        start, stop = self.value(loop.start, values), self.value(loop.stop, values)
        before = self.block
        self.lines.append(f"  br label %{name}.head")
        self.label(f"{name}.head")
        at = len(self.lines)
        predicate = "slt" if loop.step > 0 else "sgt"
        self.lines += [f"  %{name}.c = icmp {predicate} i64 %{name}, {stop}"]
        self.lines += [f"  br i1 %{name}.c, label %{name}.body, label %{name}.end"]
        self.label(f"{name}.body")
        self.statements(loop.body, {**values, name: f"%{name}"})
        self.lines += [f"  %{name}.next = add nsw i64 %{name}, {loop.step}", f"  br label %{name}.head"]
        phi = f"  %{name} = phi i64 [ {start}, %{before} ], [ %{name}.next, %{self.block} ]"
        self.lines.insert(at, phi)
        self.label(f"{name}.end")

    def rotated(self, loop, values):
        name = loop.name
        start, stop = self.value(loop.start, values), self.value(loop.stop, values)
        predicate = "slt" if loop.step > 0 else "sgt"
        guard = self.new(f"icmp {predicate} i64 {start}, {stop}")
        self.lines += [f"  br i1 {guard}, label %{name}.before, label %{name}.end"]
        self.label(f"{name}.before")
        self.lines += [f"  br label %{name}.body"]
        self.label(f"{name}.body")
        at = len(self.lines)
        self.statements(loop.body, {**values, name: f"%{name}"})
        self.lines += [f"  %{name}.next = add nsw i64 %{name}, {loop.step}"]
        self.lines += [f"  %{name}.c = icmp {predicate} i64 %{name}.next, {stop}"]
        self.lines += [f"  br i1 %{name}.c, label %{name}.body, label %{name}.after"]
        phi = f"  %{name} = phi i64 [ {start}, %{name}.before ], [ %{name}.next, %{self.block} ]"
        self.lines.insert(at, phi)
        self.label(f"{name}.after")
        self.lines += [f"  br label %{name}.end"]
        self.label(f"{name}.end")


def text(statements, wide, *, split=False):
    """The function; with addresses `split`, each term of an index is added to a pointer without any promise."""
    writer = Writer(wide, split)
    values = {}
    for size in SIZES:
        values[size] = f"%{size}" if wide else writer.new(f"sext i32 %{size} to i64")
    writer.statements(statements, values)
    body = "\n".join(writer.lines)
    return f"define void @f(ptr %p, {writer.type} %n, {writer.type} %m) {{\nentry:\n{body}\n  ret void\n}}\n"

"""Random functions in LLVM's language, `double pK(ptr x, ptr y, i32 n)`, of what clang does not produce.

Phis of pointers, structs and vectors, several at once, in any order, that exchange their values; selects of the same;
switches whose cases share a block; loops that count in odd integers and leave in the middle; first-class structs and
arrays; vectors as numbers, as memory and as bits; freeze; arguments `byval` and `sret`. As for the functions in C,
values stay bounded, memory is initialised, every index is inside, and every loop ends.
"""

from __future__ import annotations

import random
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from ir_statements import (
    ARRAY,
    BIT,
    CARRIED,
    DOUBLE,
    NESTED,
    PAIR,
    PATHS,
    POINTER,
    PREDICATES,
    VECTOR,
    WORD,
    SimpleStatements,
)

N, M = 5, 4


@dataclass
class Scope:
    """Names that may be used here, by type; pointers with how many doubles stand behind them."""

    values: dict[str, list[str]] = field(default_factory=dict)
    pointers: list[tuple[str, int]] = field(default_factory=list)

    def copy(self) -> Scope:
        return Scope({type_: list(names) for type_, names in self.values.items()}, list(self.pointers))

    def add(self, type_: str, name: str) -> None:
        self.values.setdefault(type_, []).append(name)


class Generator(SimpleStatements):
    def __init__(self, seed: int, prefix: str) -> None:
        self.random = random.Random(seed)
        self.prefix = prefix
        self.declared: dict[str, str] = {}
        self.helpers: list[tuple[str, str]] = []
        self.rounds = self.random.random() < 0.12
        """Some numbers are rounded to float: differences are not sharp."""
        self.begin()

    # ---- the text

    def begin(self) -> None:
        self.lines: list[str] = []
        self.label = "entry"
        self.names = 0
        self.scope = Scope()
        self.frees: list[str] = []
        self.room = 0
        self.result = DOUBLE
        self.work = 1

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(list(items))

    def name(self, base: str = "v") -> str:
        self.names += 1
        return f"{base}{self.names}"

    def say(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def new(self, type_: str, text: str) -> str:
        """An instruction whose result has a name."""
        name = "%" + self.name()
        self.say(f"{name} = {text}")
        if type_ != POINTER:
            self.scope.add(type_, name)
        return name

    def start(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label

    def call(self, type_: str, callee: str, arguments: str) -> str:
        types = ", ".join(part.strip().rsplit(" ", 1)[0] for part in arguments.split(" , "))
        self.declared[callee] = f"declare {type_} @{callee}({types})"
        return self.new(type_, f"call {type_} @{callee}({arguments.replace(' , ', ', ')})")

    # ---- values

    def number(self) -> str:
        return self.pick(self.scope.values[DOUBLE]) if self.chance(0.9) else f"{self.random.uniform(0.2, 1.4):.3f}"

    def variable(self) -> str:
        return self.pick(self.scope.values[DOUBLE])

    def word(self, below: int) -> str:
        """An integer in range."""
        if self.chance(0.4):
            return str(self.random.randrange(below))
        if self.chance(0.12):
            size = self.call(DOUBLE, "llvm.fabs.f64", f"double {self.variable()}")
            more = self.new(DOUBLE, f"fmul double {size}, 3.0")
            self.scope.values[DOUBLE].remove(more)
            kept = self.call(DOUBLE, "llvm.minnum.f64", f"double {more} , double 50.0")
            self.scope.values[DOUBLE].remove(kept)
            self.new(WORD, f"fptosi double {kept} to i64")
        return self.new(WORD, f"urem i64 {self.pick(self.scope.values[WORD])}, {below}")

    def pointer(self, least: int = 1) -> tuple[str, int]:
        return self.pick([p for p in self.scope.pointers if p[1] >= least])

    def place(self, least: int = 1) -> str:
        """The address of `least` doubles."""
        base, length = self.pointer(least)
        at = self.word(length - least + 1)
        match self.random.randrange(3):
            case 0:
                offset = self.new(WORD, f"mul i64 {at}, 8")
                self.scope.values[WORD].remove(offset)
                return self.new(POINTER, f"getelementptr inbounds i8, ptr {base}, i64 {offset}")
            case 1:
                return self.new(POINTER, f"getelementptr inbounds [{length} x double], ptr {base}, i64 0, i64 {at}")
            case _:
                return self.new(POINTER, f"getelementptr double, ptr {base}, i64 {at}")

    def bit(self) -> str:
        match self.random.randrange(4):
            case 0:
                a = self.pick(self.scope.values[WORD])
                return self.new(BIT, f"icmp {self.pick(('ult', 'eq', 'sgt'))} i64 {a}, {self.random.randint(0, 3)}")
            case 1 if self.scope.values.get(BIT):
                return self.pick(self.scope.values[BIT])
            case 2 if self.scope.values.get(BIT):
                form = self.pick(("xor i1 {a}, true", "and i1 {a}, {b}", "select i1 {a}, i1 {b}, i1 false"))
                bits = self.scope.values[BIT]
                return self.new(BIT, form.format(a=self.pick(bits), b=self.pick(bits)))
        other = self.pick((self.number(), f"{self.random.uniform(-0.5, 0.9):.4f}"))
        return self.new(BIT, f"fcmp {self.pick(PREDICATES)} double {self.variable()}, {other}")

    def value(self, type_: str) -> str:
        """Of any of the types that phis and selects are made of."""
        names = self.scope.values.get(type_, [])
        if names and self.chance(0.8):
            return self.pick(names)
        match type_:
            case "double":
                return self.settled()
            case "i64":
                return self.word(4)
            case "<2 x double>":
                return self.vector()
            case _:
                return self.aggregate(type_)

    def aggregate(self, type_: str) -> str:
        value = "zeroinitializer"
        for path in PATHS[type_]:
            at = ", ".join(map(str, path))
            value = self.new(type_, f"insertvalue {type_} {value}, double {self.variable()}, {at}")
        return value

    def vector(self) -> str:
        if self.chance(0.3):
            return self.new(VECTOR, f"load {VECTOR}, ptr {self.place(2)}, align 8")
        one = self.new(VECTOR, f"insertelement {VECTOR} <double 0.5, double 0.25>, double {self.variable()}, i64 0")
        return self.new(VECTOR, f"insertelement {VECTOR} {one}, double {self.variable()}, i64 {self.word(2)}")

    def settled(self, value: str | None = None) -> str:
        """A bounded number."""
        value = value or self.number()
        if self.chance(0.5):
            return self.call(DOUBLE, "llvm.sin.f64", f"double {value}")
        size = self.call(DOUBLE, "llvm.fabs.f64", f"double {value}")
        more = self.new(DOUBLE, f"fadd double {size}, 1.0")
        return self.new(DOUBLE, f"fdiv double {value}, {more}")

    # ---- statements with blocks

    def block(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        self.room -= 1
        if depth <= 0 or self.room < 0 or self.work > 80 or self.chance(0.55):
            self.simple()
        else:
            kind = self.pick(("branch", "branch", "switch", "loop", "loop", "loop", "allocation", "stack", "diamonds"))
            getattr(self, f"do_{kind}")(*([depth] if kind not in {"allocation", "stack"} else []))

    def arm(self, depth: int, label: str, outer: Scope, join: str) -> list[tuple[str, Scope]]:
        """One way through a branch; where it arrives at the join from, with what: nothing if it returns."""
        self.start(label)
        self.scope = outer.copy()
        self.block(depth)
        if self.chance(0.06):
            self.leave()
            return []
        self.say(f"br label %{join}")
        return [(self.label, self.scope)]

    def join(self, label: str, outer: Scope, ways: list[tuple[str, Scope]]) -> None:
        """The block where ways meet, with phis of any type."""
        self.start(label)
        self.scope = outer.copy()
        self.random.shuffle(ways)
        for _ in range(self.random.randint(0, 4)):
            self.phi(self.pick(CARRIED), ways)

    def phi(self, type_: str, ways: list[tuple[str, Scope]]) -> None:
        """One value per block that is come from: an edge that is there twice brings the same value twice."""
        name = "%" + self.name("phi")
        if type_ == POINTER:
            found = {label: self.random.choice(scope.pointers) for label, scope in ways}
            self.say(f"{name} = phi ptr {', '.join(f'[ {found[label][0]}, %{label} ]' for label, _ in ways)}")
            self.scope.pointers.append((name, min(length for _, length in found.values())))
            return
        if not all(scope.values.get(type_) for _, scope in ways):
            type_ = DOUBLE
        chosen = {label: self.random.choice(scope.values[type_]) for label, scope in ways}
        self.say(f"{name} = phi {type_} {', '.join(f'[ {chosen[label]}, %{label} ]' for label, _ in ways)}")
        self.scope.add(type_, name)

    def do_branch(self, depth: int) -> None:
        outer, here = self.scope, self.label
        c = self.bit()
        here = self.label
        first, second, join = self.name("then"), self.name("else"), self.name("join")
        if self.chance(0.4):
            self.say(f"br i1 {c}, label %{first}, label %{join}")
            ways = [(here, outer), *self.arm(depth - 1, first, outer, join)]
        else:
            self.say(f"br i1 {c}, label %{first}, label %{second}")
            ways = self.arm(depth - 1, first, outer, join) + self.arm(depth - 1, second, outer, join)
            if not ways:
                # both returned: the join is there for what follows, and is never reached
                self.lines.pop()
                self.say(f"br label %{join}")
                ways = [(self.label, self.scope)]
        self.join(join, outer, ways)

    def do_switch(self, depth: int) -> None:
        """Several cases lead to one block, some straight to the join."""
        on = self.new(WORD, f"urem i64 {self.pick(self.scope.values[WORD])}, 7")
        outer, here, join = self.scope, self.label, self.name("join")
        arms = [self.name("case") for _ in range(self.random.randint(1, 3))]
        targets = [self.pick([*arms, join]) for _ in range(self.random.randint(3, 6))]
        cases = " ".join(f"i64 {at}, label %{target}" for at, target in enumerate(targets))
        default = self.pick([*arms, join])
        self.say(f"switch i64 {on}, label %{default} [ {cases} ]")
        ways = [(here, outer)] * [*targets, default].count(join)
        for label in arms:
            if label in targets or label == default:
                ways += self.arm(depth - 1, label, outer, join)
        if not ways:
            self.lines.pop()
            self.say(f"br label %{join}")
            ways = [(self.label, self.scope)]
        self.join(join, outer, ways)

    def do_diamonds(self, depth: int) -> None:
        """Values chosen in one branch meet again in a phi whose ways cross."""
        a, b = self.bit(), self.bit()
        outer = self.scope
        first, second, third, join = (self.name(base) for base in ("a", "b", "c", "join"))
        self.say(f"br i1 {a}, label %{first}, label %{second}")
        self.start(first)
        self.scope = outer.copy()
        self.simple()
        one = (self.label, self.scope)
        self.say(f"br i1 {b}, label %{third}, label %{join}")
        self.start(second)
        self.scope = outer.copy()
        self.simple()
        two = (self.label, self.scope)
        self.say(f"br i1 {b}, label %{join}, label %{third}")
        self.join(third, outer, [one, two])
        self.block(depth - 1)
        three = (self.label, self.scope)
        self.say(f"br label %{join}")
        self.join(join, outer, [one, two, three])

    def do_loop(self, depth: int) -> None:
        integer = self.pick(("i64", "i64", "i32", "i8", "i17"))
        down = self.chance(0.3)
        count, step = self.pick((("3", 1), ("2", 1), ("6", 2), (None, 1)))
        if count is None:
            wide = self.new(WORD, f"add i64 {self.word(3)}, {1 if self.chance(0.7) else 0}")
            count = wide if integer == "i64" else self.new(f"{integer}", f"trunc i64 {wide} to {integer}")
        top = count.startswith("%") or self.chance(0.4)
        initial = {type_: self.value(type_) for type_ in self.random.sample(CARRIED, self.random.randint(1, 3))
                   if type_ != POINTER}  # fmt: skip
        walked = self.pointer(3)[0] if self.chance(0.5) else None
        outer, before = self.scope, self.label
        head, body, latch, end = (self.name(base) for base in ("head", "body", "latch", "end"))
        self.say(f"br label %{head}")
        self.start(head)
        self.scope = outer.copy()
        index, following = "%" + self.name("i"), "%" + self.name("next")
        start = count if down else "0"
        self.say(f"{index} = phi {integer} [ {start}, %{before} ], [ {following}, %{latch} ]")
        phis = []
        for type_, value in initial.items():
            phis.append((len(self.lines), type_, value, "%" + self.name("carried")))
            self.lines.append("")
        if walked is not None:
            phis.append((len(self.lines), POINTER, walked, "%" + self.name("walk")))
            self.lines.append("")
        self.random.shuffle(phis)
        for _, type_, _, name in phis:
            if type_ == POINTER:
                self.scope.pointers.append((name, 3))
            else:
                self.scope.add(type_, name)
        cast = index if integer == "i64" else self.new("cast", f"zext {integer} {index} to i64")
        self.scope.add(WORD, cast)
        before_work, self.work = self.work, self.work * 3
        exits = []
        test = f"icmp ugt {integer} {index}, 0" if down else f"icmp ult {integer} {index}, {count}"
        if top:
            t = self.new(BIT, test)
            exits.append((self.label, self.scope.copy()))
            self.say(f"br i1 {t}, label %{body}, label %{end}")
        else:
            self.say(f"br label %{body}")
        self.start(body)
        self.block(depth - 1)
        if self.chance(0.35):
            c, on = self.bit(), self.name("on")
            exits.append((self.label, self.scope.copy()))
            self.say(f"br i1 {c}, label %{end}, label %{on}")
            self.start(on)
            self.block(depth - 1)
        carried = {}
        for _, type_, _, name in phis:
            if type_ == POINTER:
                carried[name] = self.pointer(3)[0]
            elif type_ == DOUBLE:
                carried[name] = self.settled()
            elif type_ == WORD:
                carried[name] = self.word(5)
            elif type_ == VECTOR:
                carried[name] = self.call(VECTOR, "llvm.sin.v2f64", f"{VECTOR} {self.value(VECTOR)}")
            else:
                carried[name] = self.value(type_)
        self.say(f"br label %{latch}")
        self.start(latch)
        self.say(f"{following} = {'sub' if down else 'add'} {integer} {index}, {step}")
        if top:
            self.say(f"br label %{head}")
        else:
            least = f"icmp ugt {integer} {following}, 0" if down else f"icmp ult {integer} {following}, {count}"
            t = self.new(BIT, least)
            exits.append((self.label, self.scope.copy()))
            self.say(f"br i1 {t}, label %{head}, label %{end}")
        for at, type_, value, name in phis:
            ways = [f"[ {value}, %{before} ]", f"[ {carried[name]}, %{latch} ]"]
            self.random.shuffle(ways)
            self.lines[at] = f"  {name} = phi {type_} {', '.join(ways)}"
        self.work = before_work
        self.join(end, outer, exits)

    # ---- functions

    def leave(self) -> None:
        """Return a value of the function's type."""
        if self.result == POINTER:
            value = self.pointer(3)[0]
        elif self.result == DOUBLE:
            value = self.settled()
        elif self.result == PAIR:
            value = self.aggregate_of_bounded(PAIR)
        elif self.result == VECTOR:
            value = self.call(VECTOR, "llvm.sin.v2f64", f"{VECTOR} {self.value(VECTOR)}")
        else:
            self.say("ret void")
            return
        for m in self.frees:
            self.declared["free"] = "declare void @free(ptr)"
            self.say(f"call void @free(ptr {m})")
        self.say(f"ret {self.result} {value}")

    def local(self) -> None:
        self.say("%slots = alloca [2 x ptr], align 8")
        self.say(f"%result = alloca {PAIR}, align 8")
        self.say(f"store {PAIR} zeroinitializer, ptr %result, align 8")
        self.say("%near = alloca [3 x double], align 8")
        for at in range(3):
            self.say(f"%near{at} = getelementptr inbounds double, ptr %near, i64 {at}")
            self.say(f"store double {self.variable()}, ptr %near{at}, align 8")
        if self.result != POINTER:  # which must not be that of a local variable
            self.scope.pointers.append(("%near", 3))

    def helper(self) -> str:
        kind = self.pick(("pair", "mixed", "choose", "memory", "recursive"))
        name = f"{self.prefix}_{kind}{len(self.helpers)}"
        self.begin()
        self.room = self.random.randint(2, 8)
        arguments = ["ptr %p"]
        self.scope.pointers = [("%p", 3)]
        self.scope.values = {DOUBLE: ["%s"], WORD: ["%k"]}
        match kind:
            case "pair":
                self.result, arguments = PAIR, ["ptr %p", "double %s", "i64 %k"]
            case "mixed":
                arguments = ["ptr %p", f"{VECTOR} %v", f"{NESTED} %a"]
                self.scope.values = {VECTOR: ["%v"], NESTED: ["%a"]}
                self.new(DOUBLE, f"extractvalue {NESTED} %a, 1, 1")
                self.new(WORD, f"extractvalue {NESTED} %a, 1, 0")
                self.new(DOUBLE, f"extractelement {VECTOR} %v, i64 1")
            case "choose":
                self.result, arguments = POINTER, ["ptr %p", "ptr %q", "i1 %c", "double %s"]
                self.scope.pointers.append(("%q", 3))
                self.scope.values = {DOUBLE: ["%s"], BIT: ["%c"]}
                self.new(WORD, "zext i1 %c to i64")
            case "memory":
                self.result = "void"
                arguments = [f"ptr sret({PAIR}) align 8 %r", f"ptr byval({ARRAY}) align 8 %p", "double %s"]
                self.scope.pointers = [("%r", 2), ("%p", 2)]
                self.scope.values[WORD] = ["2"]
                self.say(f"store {PAIR} zeroinitializer, ptr %r, align 8")
            case _:
                self.result, arguments = VECTOR, ["ptr %p", "double %s", "i64 %k"]
                down, deep, on = self.name("c"), self.name("deep"), self.name("on")
                self.say(f"%{down} = icmp ne i64 %k, 0")
                self.say(f"br i1 %{down}, label %{deep}, label %{on}")
                self.start(deep)
                less = self.new("less", "sub i64 %k, 1")
                s = self.call(DOUBLE, "llvm.sin.f64", "double %s")
                r = self.new("inner", f"call {VECTOR} @{name}(ptr %p, double {s}, i64 {less})")
                self.scope = Scope({DOUBLE: ["%s"], WORD: ["%k"]}, [("%p", 3)])
                self.say(f"br label %{on}")
                self.start(on)
                self.say(f"%inner = phi {VECTOR} [ <double 0.3, double 0.6>, %entry ], [ {r}, %{deep} ]")
                self.scope.add(VECTOR, "%inner")
        self.local()
        while self.room > 0:
            self.statement(2)
        if kind == "memory":
            self.say(f"store double {self.settled()}, ptr %r, align 8")
        self.leave()
        self.helpers.append((kind, name))
        keep = "noinline " if self.chance(0.6) else ""
        return (f"define internal {self.result} @{name}({', '.join(arguments)}) {keep}nounwind {{\nentry:\n"
                + "\n".join(self.lines) + "\n}\n")  # fmt: skip

    def main(self) -> str:
        self.begin()
        self.room = self.random.randint(8, 26)
        self.scope.pointers = [("%x", N), ("%y", M)]
        for at in range(3):
            place = self.new(POINTER, f"getelementptr inbounds double, ptr %x, i64 {at}")
            self.new(DOUBLE, f"load double, ptr {place}, align 8")
        self.new(WORD, "zext i32 %n to i64")
        self.local()
        if self.chance(0.5):
            m = self.call(POINTER, "malloc", "i64 32")
            self.frees.append(m)
            for at in range(4):
                to = self.new(POINTER, f"getelementptr inbounds double, ptr {m}, i64 {at}")
                self.say(f"store double {self.variable()}, ptr {to}, align 8")
            self.scope.pointers.append((m, 4))
        while self.room > 0:
            self.statement(3)
        total = "0.0"
        for value in self.random.sample(self.scope.values[DOUBLE], min(8, len(self.scope.values[DOUBLE]))):
            total = self.new(DOUBLE, f"fadd double {total}, {value}")
        for base, length in self.random.sample(self.scope.pointers, min(4, len(self.scope.pointers))):
            place = self.new(POINTER, f"getelementptr inbounds double, ptr {base}, i64 {length - 1}")
            total = self.new(DOUBLE, f"fadd double {total}, {self.new(DOUBLE, f'load double, ptr {place}, align 8')}")
        self.scope.values[DOUBLE] = [total]
        self.leave()
        body = "\n".join(self.lines)
        return f"define double @{self.prefix}(ptr %x, ptr %y, i32 %n) nounwind {{\nentry:\n{body}\n}}\n"

    def program(self) -> str:
        parts = [self.helper() for _ in range(self.random.randint(0, 3))]
        parts.append(self.main())
        return "\n".join([*(["; rounds"] if self.rounds else []), *self.declared.values(), *parts])


def random_ir(seed: int, prefix: str) -> str:
    """A module in LLVM's language with one function and all that it uses."""
    return Generator(seed, prefix).program()

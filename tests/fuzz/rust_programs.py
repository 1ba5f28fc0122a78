"""Random Rust functions over what the language and its standard library offer beyond C.

Each stands in a module of its own, with its types, as `pub unsafe extern "C" fn pK(x: *mut f64, y: *mut f64, n: i32)`.
The rules are those of `generate`: everything is initialised, indices are inside, loops end, values stay bounded, one
statement a line. The borrow checker is content where borrows end with the line, and what a line reads while it holds
one is another variable.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from generate import M, N, Scope
from rust_objects import FLOATS, OBJECTS
from rust_statements import CHANGES, CONTAINERS, SIMPLE
from rust_types import TYPES
from templates import TextGenerator, texts

RUST_HEAD = "use std::borrow::Cow;\nuse std::cell::{Cell, RefCell};\nuse std::cmp::Reverse;\n\
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};\nuse std::iter::Sum;\n\
use std::marker::PhantomData;\nuse std::mem;\nuse std::ops::{Add, AddAssign, Index, IndexMut, Mul, Neg};\n\
use std::rc::{Rc, Weak};\n"
_UNARY = ("f64::sin({})", "f64::cos({})", "f64::exp(-f64::abs({}) * 0.5)", "f64::sqrt(1.3 + {0} * {0})",
          "f64::tanh({})", "{0} / (1.7 + {0} * {0})", "f64::ln(2.0 + {0} * {0})", "f64::atan({})", "0.5 * {}", "-{}",
          "f64::cbrt(3.5 + f64::sin({}))", "f64::exp_m1(0.3 * f64::sin({}))", "f64::asinh({})",
          "f64::ln_1p(0.2 + {0} * {0})", "f64::sin_cos({}).1", "f64::to_radians(30.0 * {})",
          "f64::recip(1.6 + {0} * {0})", "f64::powi(f64::sin({}), 3)", "f64::clamp({}, -1.1, 1.3)",
          "f64::exp2(f64::sin({}))", "f64::sinh(f64::sin({}))", "f64::log10(1.5 + {0} * {0})",
          "f64::signum({0}) * 0.2 * {0}", "f64::acos(0.6 * f64::sin({}))", "f64::fract(3.4 + 0.5 * f64::tanh({}))",
          "f64::powf(1.0 + {0} * {0}, -0.7)")  # fmt: skip
_BINARY = ("{} + {}", "{} - {}", "{} * {}", "{} / (1.6 + f64::abs({}))", "f64::hypot(1.1 + {}, {})",
           "f64::atan2(1.0 + {0} * {0}, {1})", "f64::powf(1.5 + 0.3 * f64::sin({}), 1.0 + {})", "f64::max({}, {})",
           "f64::min({}, {})", "f64::copysign({}, {})", "f64::mul_add({0}, 0.4, {1})",
           "f64::rem_euclid(f64::tanh({}) + 0.3 * {}, 2.5)", "f64::abs({} - {})")  # fmt: skip
_SETTLE = ("f64::sin({})", "f64::tanh({})", "0.8 * f64::atan({})", "({0}) / (1.0 + f64::abs({0}))")
_OWN = ("assign", "assign", "assign", "update", "update", "swap", "local_array", "element_loop")
_BLOCKS = (
    "branch",
    "branch",
    "choice",
    "count_loop",
    "count_loop",
    "count_loop",
    "while_loop",
    "do_loop",
    "value_loop",
)
_SHAPES = ("Ball { r: $V, tag: 0 }", "Ring { inner: $V, ball: Ball { r: $V, tag: 1 } }", "Path(vec![$V, $V])",
           "Scaled { by: $V, inner: Ball { r: $V, tag: 2 } }", "Scaled { by: 0.7, inner: Path(vec![$V]) }")  # fmt: skip
_LAWS = ("Law::Zero", "Law::Line($V, $V)", "Law::Wave { k: $V, shift: $V }", "Law::Points(vec![$V, $V])",
         "Law::At(Box::new(Point::new($V, 0.2, $V)))", "Law::Twice(Box::new($LAW))")  # fmt: skip
_CALLS = ("scaled($V)", "boxed($K, $V)", "counting($V)", "{ let k_ = $V; move |v_: f64| f64::sin(v_ * k_) }",
          "{ let mut k_ = $V; move |v_: f64| { k_ += 0.1 * v_; f64::tanh(k_ * v_) } }", "f64::sin",
          '|v_: f64| named("«sine¦square¦other»", v_)')  # fmt: skip
_TROUBLE = {
    "plain": ("root($V).unwrap_or(0.4)", "checked($V, $K).unwrap_or_else(Trouble::told)",
              "root($V).and_then(|v_| root(v_ - 1.5)).map_or(0.3, |v_| 0.5 * v_)", "both($V, $V).ok().unwrap_or(0.2)"),
    "option": ("root($V)?", "root($V).filter(|v_| *v_ > 0.3)?", "checked($V, $K).ok()?"),
    "result": ("checked($V, $K)?", "both($V, $V)?", "root($V).ok_or(Trouble::Small($V))?",
               "checked($V, $K).or_else(|e_| checked(e_.told(), 1))?"),
}  # fmt: skip
"""What may fail, as functions of each kind use it."""
_RESULTS = {"plain": ("f64", "{}"), "option": ("Option<f64>", "Some({})"), "result": ("Result<f64, Trouble>", "Ok({})")}
_TAKEN = {"plain": "{}", "option": "{}.unwrap_or(0.3)", "result": "{}.unwrap_or_else(|e_| e_.told())"}
_HELPERS = {
    "span": ("(p: &mut [f64], mut s: f64, n: usize, k: usize) -> RESULT", "$X"),
    "vector": ("(v: &mut Vec<f64>, w: &[f64], mut s: f64, n: usize, k: usize) -> RESULT", "$X + 0.2 * w[1]"),
    "made": ("(mut v: Vec<f64>, mut s: f64, n: usize, k: usize) -> Vec<f64>", "v[1] = $X; v"),
    "point": ("(mut p: Point, q: &Point, mut s: f64, n: usize, k: usize) -> Point", "p.x = $X; p + *q * 0.3"),
    "generic": ("<F: FnMut(f64) -> f64>(mut f: F, mut s: f64, n: usize, k: usize) -> f64", "f($X) * 0.5 + f(t)"),
    "dynamic": ("(f: &mut dyn FnMut(f64) -> f64, mut s: f64, n: usize, k: usize) -> f64", "f($X) * 0.5 + f(t)"),
    "chosen": ("(p: &mut [f64], mut s: f64, n: usize, k: usize) -> &mut f64", "s = $X; p[0] += 0.2 * s; &mut p[k % 3]"),
    "pair": ("(p: &mut [f64], mut s: f64, n: usize, k: usize) -> (f64, [f64; 3])", "($X, [s, t, p[1]])"),
    "recursive": ("(p: &mut [f64], mut s: f64, n: usize, k: usize) -> RESULT", "$X"),
}  # fmt: skip
_WITHOUT_RETURN = ("made", "point", "chosen", "pair")


class RustGenerator(TextGenerator):
    """Grows one function, its types and helpers."""

    MARKS = r"\$SHAPE|\$CALL|\$LAW|\$[VPSADWNKCBXQ]"
    OR = "¦"

    def __init__(self, seed: int, prefix: str, *, fixed: bool = False) -> None:
        super().__init__(seed, prefix, fixed=fixed)
        self.flavour = "plain"
        """How the function that is being written says that something failed."""
        self.labels: list[str] = []
        self.last_array = ""

    # ---- pieces

    def piece(self, mark: str) -> str:
        match mark:
            case "$SHAPE":
                return self.fill(self.pick(_SHAPES))
            case "$LAW":
                return self.pick(_LAWS)
            case "$CALL":
                return self.fill(self.pick(_CALLS))
            case "$V":
                return self.value()
            case "$P":
                return self.place()
            case "$S":
                return self.pick(self.scope.scalars)
            case "$A":
                self.last_array = self.pick(self.spans())
                return self.last_array
            case "$D":
                return self.pick(self.others() or ["[0.3_f64, 0.6, 0.2]"])
            case "$W":
                return self.pick(self.vectors)
            case "$N":
                return self.arrays_of_text[0]
            case "$K":
                return str(self.random.randrange(3))
            case "$C":
                return self.count()
            case "$B":
                return self.condition()
            case "$Q":
                return self.pick(_TROUBLE[self.flavour])
            case _:
                return self.settled(1)

    def spans(self) -> list[str]:
        """Arrays that are slices, or become some."""
        return [a for a, length in self.scope.arrays.items() if length >= 3 and not a.startswith("deque")]

    def others(self) -> list[str]:
        """Those in other variables than the last one."""
        root = re.match(r"\w*", self.last_array.lstrip("(*"))
        return [a for a in self.spans() if root and not re.match(rf"\W*{root[0]}\b", a)]

    def value(self) -> str:
        if self.fixed and "x" in self.scope.arrays and self.chance(0.1):
            return f"y[{self.random.randrange(M)}]"
        return self.place() if self.chance(0.85) else f"{self.random.uniform(0.2, 1.4):.3f}_f64"

    def whole(self) -> str:
        return f"(3.0 * f64::abs({self.pick(self.scope.scalars)})) as usize"

    def count(self) -> str:
        return self.pick(("3", "2", "n", "n - 2", "n - 5", "4", f"{self.whole()} % 5", "n / 2",
                          *(self.scope.indices[-1:])))  # fmt: skip

    def expression(self, depth: int) -> str:
        if depth == 0 or self.chance(0.2):
            return self.value()
        if self.chance(0.4):
            return self.pick(_UNARY).format(f"({self.expression(depth - 1)})")
        return self.pick(_BINARY).format(f"({self.expression(depth - 1)})", f"({self.expression(depth - 1)})")

    def settled(self, depth: int = 2) -> str:
        return self.pick(_SETTLE).format(self.expression(depth))

    def open_block(self, head: str) -> tuple[Scope, int]:
        """Only a loop whose value is that of its `break` is left by none in its middle."""
        loop = re.match(r"(?:'\w+: )?(?:for|while|loop)\b", head)
        if not loop:
            state = self.open(self.fill(head)), self.work
            self.scope.loops = 0 if head.endswith("loop") else self.scope.loops
            return state
        index = re.match(r"for (\w+@?) in [\d(]*\.\.", head)
        return self.enter(self.fill(head), index[1] if index else None)

    # ---- statements

    def statement(self, depth: int) -> None:
        self.room -= 1
        if depth > 0 and self.room >= 0 and self.work <= 40 and self.chance(0.5):
            self.write(self.pick(_CONTAINERS + _OBJECTS + (_FLOATS * 3 if not self.precise else [])), depth)
            return
        own = [*_OWN, *["leave"] * (self.scope.loops > 0), *["early"] * bool(self.returns), "failing", "shadow"]
        own += ["call"] * (3 * bool(self.helpers)) + ["algorithm"] * 5 + ["change"] * (4 * bool(self.vectors))
        own += _BLOCKS if depth > 0 and self.room >= 0 and self.work <= 40 else ()
        getattr(self, "do_" + self.pick(own))(depth)

    def do_algorithm(self, _: int) -> None:
        self.say(self.fill(self.pick(_SIMPLE)))

    def do_change(self, _: int) -> None:
        vector = self.pick(self.vectors)
        text = self.pick(_CHANGES).replace("$W", vector)
        self.say(self.fill(text.replace("KEEP", f"{vector}.resize({vector}.len().max(3), 0.4);")))

    def do_shadow(self, _: int) -> None:
        name = self.pick([s for s in self.scope.scalars if s.isidentifier()])
        self.say(f"let mut {name} = {self.settled(1)};")

    def do_failing(self, _: int) -> None:
        self.say(self.fill("$P = 0.6 * f64::sin($Q);"))

    def do_update(self, _: int) -> None:
        place = self.place()
        self.say(f"{place} {self.pick(('+=', '-=', '*='))} 0.4 * {self.settled(1)};")
        self.say(f"{place} = f64::tanh({place});")

    def do_swap(self, _: int) -> None:
        a, b = self.element(), self.element()
        self.say(f"{{ let t_ = {a}; {a} = {b}; {b} = t_; }}")

    def do_element_loop(self, _: int) -> None:
        a, b = self.pick(self.scope.arrays), self.pick(self.scope.arrays)
        count = min(self.scope.arrays[a], self.scope.arrays[b])
        first, last = self.random.randint(0, 1), self.random.randint(0, 1)
        text = self.pick(("f64::sin({b}[i - {f}])", "{b}[i - {f}] * 0.5", "f64::tanh({b}[i - {f}] * {a}[i])",
                          "{b}[i] / (2.0 + i as f64)"))  # fmt: skip
        op = self.pick(("=", "+=", "="))
        self.say(f"for i in {first}..{count - last} {{ {a}[i] {op} {text.format(a=a, b=b, f=first)}; }}")

    def do_local_array(self, depth: int) -> None:
        self.write(_LOCAL_ARRAY, depth)

    def do_choice(self, depth: int) -> None:
        on = self.index(4)
        outer = self.open(f"match {on}")
        for case in ("0", "1 | 2", f"k_ if {self.condition()}", "_"):
            arm = self.open(f"{case} =>")
            self.block(depth - 1 if case == "_" else 0)
            self.close(arm)
        self.close(outer)

    def do_leave(self, _: int) -> None:
        label = f" {self.pick(self.labels)}" if self.labels and self.chance(0.5) else ""
        self.say(f"if {self.condition()} {{ {self.pick(('break', 'continue'))}{label}; }}")

    def do_early(self, _: int) -> None:
        self.say(f"if {self.condition()} {{ {self.returns.format(self.settled(1))} }}")

    def do_count_loop(self, depth: int) -> None:
        i = self.name("i")
        ways = ("0..{c}", "0..{c}", "(0..{c}).rev()", "(1..=3).step_by(2)", "0..3", "[0_usize, 2, 1]",
                "(0..{c}).filter(|i_| i_ % 2 == 0)", "(0..n).skip(1).take(2)")  # fmt: skip
        head = f"for {i} in {self.pick(ways).format(c=self.count())}"
        labelled = self.chance(0.3)
        if labelled:
            self.labels.append(f"'l{i}")
        state = self.enter(f"'l{i}: {head}" if labelled else head, i)
        self.block(depth - 1)
        self.leave_loop(state)
        if labelled:
            self.labels.pop()

    def do_while_loop(self, depth: int) -> None:
        i = self.name("i")
        self.say(f"let mut {i} = 0_usize;")
        state = self.enter(f"while {i} < 5 && {self.condition()}", i)
        self.say(f"{i} += 1;")
        self.block(depth - 1)
        self.leave_loop(state)

    def do_do_loop(self, depth: int) -> None:
        i = self.name("i")
        self.say(f"let mut {i} = 0_usize;")
        state = self.enter("loop", i)
        self.say(f"{i} += 1;")
        self.say(f"if {i} > 3 {{ break; }}")
        self.block(depth - 1)
        self.say(f"if {self.condition()} {{ break; }}")
        self.leave_loop(state)

    def do_value_loop(self, depth: int) -> None:
        self.write(_VALUE_LOOP, depth)

    def do_call(self, depth: int) -> None:
        kind, name = self.pick(self.helpers)
        kind, _, flavour = kind.partition(" ")
        tail = f"s_, n, {self.random.randint(0, 3 if self.scope.loops < 2 else 1)}"
        self.work += 2
        match kind:
            case "span" | "recursive":
                text = _TAKEN[flavour].format(f"{name}(&mut $A[..3], {tail})")
            case "vector" | "made" if not self.vectors:
                text = "s_ * 0.5"
            case "vector":
                text = _TAKEN[flavour].format(f"{{ let w_ = $W.clone(); {name}(&mut $W, &w_, {tail}) }}")
            case "made":
                text = f"{{ let w_ = {name}($W.clone(), {tail}); $W = w_; s_ }}"
            case "point":
                text = f"{{ let p_ = Point::new($V, $V, $V); let q_ = {name}(p_, &p_, {tail}); q_.dot(&p_).tanh() }}"
            case "generic":
                text = f"0.4 * {name}($CALL, {tail}).tanh()"
            case "dynamic":
                text = f"{{ let mut f_ = $CALL; 0.4 * {name}(&mut f_, {tail}).tanh() }}"
            case "chosen":
                text = f"{{ let at_ = {name}(&mut $A[..3], {tail}); *at_ = at_.tanh(); *at_ * 0.7 }}"
            case _:
                text = f"{{ let (v_, [_, b_, c_]) = {name}(&mut $A[..3], {tail}); f64::sin(v_ * b_ + c_) }}"
        self.say(self.fill(f"{{ let s_ = $V; let r_ = {text}; $P = r_; }}"))

    # ---- whole functions

    def program(self) -> str:
        parts = [f"mod {self.prefix}_names {{", "use super::*;", TYPES]
        parts += [self.helper() for _ in range(self.random.randint(0, 3))]
        parts += [self.main(), "}"]
        return "\n".join(parts)

    def start(self, room: int, flavour: str) -> None:
        self.begin(room)
        self.flavour, self.labels = flavour, []

    def helper(self) -> str:
        kind = self.pick(_HELPERS)
        head, end = _HELPERS[kind]
        name = f"{kind}{len(self.helpers)}"
        keep = self.pick(("#[inline(never)]\n", "#[inline(never)]\n", ""))
        flavour = self.pick(_RESULTS) if "RESULT" in head else "plain"
        result, made = _RESULTS[flavour]
        self.start(self.random.randint(1, 5), flavour)
        self.scope.scalars = ["s", "t"]
        self.scope.indices = ["k"]
        self.say("let mut t = 0.5 * s;")
        match kind:
            case "vector" | "made":
                self.add_vector("(*v)" if kind == "vector" else "v")
            case "generic" | "dynamic" | "point":
                self.say("let mut e = [s, 0.4, 0.5 * s * t];")
                self.scope.arrays["e"] = 3
            case _:
                self.scope.arrays["p"] = 3
        if kind == "point":
            self.scope.scalars += ["p.x", "p.y", "p.z"]
        if not self.precise:
            self.say("let mut f32_ = s as f32; // ; rounds")
        if kind == "recursive":
            call = _TAKEN[flavour].format(f"{name}(p, 0.6 * f64::sin(s) + 0.1, n, k - 1)")
            self.say(f"if k > 0 {{ t = {call}; }}")
        self.returns = f"return {made};" if kind not in _WITHOUT_RETURN else None
        self.statements(2)
        self.returns = None
        *first, last = self.fill(end).split("; ")
        for line in first:
            self.say(line + ";")
        self.say(made.format(last) if "RESULT" in head else last)
        self.helpers.append((f"{kind} {flavour}", name))
        body = "\n".join(self.lines)
        return f"{keep}fn {name}{head.replace('RESULT', result)} {{\n{body}\n}}\n"

    def main(self) -> str:
        flavour = self.pick(("plain", "plain", "option", "result"))
        result, made = _RESULTS[flavour]
        self.start(self.random.randint(4, 14), flavour)
        self.scope.scalars = ["a", "b", "c"]
        self.scope.arrays = {"x": N} if self.fixed else {"x": N, "y": M}
        self.say("let (mut a, mut b, mut c) = (x[0], f64::sin(x[1] * x[2]), 0.4_f64);")
        if self.chance(0.7):
            self.say("let mut va = x[..n].to_vec();")
            self.add_vector("va")
        if self.chance(0.4):
            self.say("let mut ea = [x[1], 0.3, x[3] * x[4], x[0]];")
            self.scope.arrays["ea"] = 4
        if self.chance(0.4):
            self.say("let mut wa: Vec<f64> = vec![x[2], 0.7, x[4]];")
            self.add_vector("wa")
        if not self.precise:
            self.say("let mut f32_ = x[1] as f32; // ; rounds")
        self.returns = f"return {made};" if self.chance(0.5) else None
        self.statements(3)
        self.returns = None
        self.say("let mut sum = a * b + c;")
        for name, length in self.scope.arrays.items():
            self.say(f"for i in 0..{length} {{ sum += {name}[i] * (0.3 + 0.17 * i as f64); }}")
        self.say("sum += f64::from(f32_);" if not self.precise else "")
        self.say(made.format("sum"))
        keep = self.pick(("#[inline(never)]\n", ""))
        y = "y: &[f64]" if self.fixed else "y: &mut [f64]"
        slice_of_y = "from_raw_parts" if self.fixed else "from_raw_parts_mut"
        called = _TAKEN[flavour].format("body(x, y, n as usize)")
        return "\n".join([
            f"{keep}fn body(x: &mut [f64], {y}, n: usize) -> {result} {{", *self.lines, "}", "#[no_mangle]",
            f'pub unsafe extern "C" fn {self.prefix}(x: *mut f64, y: *mut f64, n: i32) -> f64 {{',
            f"    let x = std::slice::from_raw_parts_mut(x, {N});",
            f"    let y = std::slice::{slice_of_y}(y, {M});",
            f"    {called}", "}"])  # fmt: skip


_LOCAL_ARRAY = """let mut e@ = [$V, $V, $V];
+array e@
e@[$K] = $X;
$P = $X;
?5 BLOCK
$P = e@[0] * e@[1] + 0.2 * e@[2];"""
_VALUE_LOOP = """let mut turns@ = 0;
let found@ = loop {
turns@ += 1;
if turns@ > 3 { break 0.3; }
BLOCK
if $B { break $X; }
};
$P = 0.8 * found@;"""
_SIMPLE, _CHANGES, _CONTAINERS, _OBJECTS, _FLOATS = (
    texts(t) for t in (SIMPLE, CHANGES, CONTAINERS, OBJECTS, FLOATS)
)  # fmt: skip


def random_rust(seed: int, prefix: str, *, fixed: bool = False) -> str:
    """The text of one function with all that it uses, without RUST_HEAD. `fixed`: y is only read."""
    return RustGenerator(seed, prefix, fixed=fixed).program()

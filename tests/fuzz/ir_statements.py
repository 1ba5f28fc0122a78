"""Instructions of the random functions in LLVM's language that need no blocks of their own, and their types."""

from __future__ import annotations

DOUBLE, FLOAT, WORD, BIT, POINTER = "double", "float", "i64", "i1", "ptr"
VECTOR, FLOATS, BITS = "<2 x double>", "<4 x float>", "<2 x i64>"
PAIR, ARRAY, NESTED = "{ double, double }", "[2 x double]", "{ double, { i64, double } }"
PATHS = {PAIR: ((0,), (1,)), ARRAY: ((0,), (1,)), NESTED: ((0,), (1, 1))}
"""Where the doubles of an aggregate are."""
CARRIED = (DOUBLE, DOUBLE, DOUBLE, POINTER, VECTOR, PAIR, ARRAY, NESTED, WORD)
UNARY = ("sin", "cos", "fabs", "exp", "floor", "sqrt", "trunc", "log", "atan", "tanh", "rint", "canonicalize", "exp2")
BINARY = ("minnum", "maxnum", "copysign", "maximum", "minimum", "pow", "atan2", "minimumnum")
PREDICATES = ("olt", "ogt", "ult", "uge", "une", "ole", "ord")
FLAGS = ("", "", "", "", "contract ", "nsz ", "nnan ninf ", "reassoc nsz ", "fast ")


class SimpleStatements:
    """Mixed into the generator, whose scope and vocabulary they use."""

    # ---- statements without blocks

    def do_arithmetic(self) -> None:
        a, b, flags = self.variable(), self.number(), self.pick(FLAGS)
        match self.random.randrange(6):
            case 0:
                self.new(DOUBLE, f"fneg double {a}")
            case 1:
                b = self.call(DOUBLE, "llvm.fabs.f64", f"double {b}")
                b = self.new(DOUBLE, f"fadd double {b}, 1.6")
                self.new(DOUBLE, f"{self.pick(('fdiv', 'frem'))} double {a}, {b}")
            case 2:
                callee = self.pick(("llvm.fma.f64", "llvm.fmuladd.f64"))
                self.settled(self.call(DOUBLE, callee, f"double {a} , double {b} , double {self.number()}"))
            case _:
                self.settled(self.new(DOUBLE, f"{self.pick(('fadd', 'fsub', 'fmul'))} {flags}double {a}, {b}"))

    def do_function(self) -> None:
        name, a = self.pick(UNARY), self.settled()
        if name in {"sqrt", "log"}:
            a = self.new(DOUBLE, f"fadd double {a}, 1.3")
        self.call(DOUBLE, f"llvm.{name}.f64", f"double {a}")

    def do_function_of_two(self) -> None:
        name, a, b = self.pick(BINARY), self.settled(), self.settled()
        if name in {"pow", "atan2"}:
            a = self.new(DOUBLE, f"fadd double {a}, 1.3")
        self.call(DOUBLE, f"llvm.{name}.f64", f"double {a} , double {b}")
        if self.chance(0.3):
            self.call(DOUBLE, "llvm.powi.f64.i32", f"double {a} , i32 {self.random.randint(-2, 3)}") if name in {
                "pow", "atan2"} else None  # fmt: skip

    def do_load(self) -> None:
        self.new(DOUBLE, f"load double, ptr {self.place()}, align 8")

    def do_store(self) -> None:
        value = self.settled()
        self.say(f"store double {value}, ptr {self.place()}, align 8")

    def do_select(self) -> None:
        type_ = self.pick(CARRIED)
        c = self.bit()
        if type_ == POINTER:
            (a, n), (b, m) = self.pointer(), self.pointer()
            name = self.new(POINTER, f"select i1 {c}, ptr {a}, ptr {b}")
            self.scope.pointers.append((name, min(n, m)))
            return
        self.new(type_, f"select i1 {c}, {type_} {self.value(type_)}, {type_} {self.value(type_)}")

    def do_freeze(self) -> None:
        type_ = self.pick(CARRIED)
        if type_ == POINTER:
            a, n = self.pointer()
            self.scope.pointers.append((self.new(POINTER, f"freeze ptr {a}"), n))
        else:
            self.new(type_, f"freeze {type_} {self.value(type_)}")

    def do_aggregate(self) -> None:
        type_ = self.pick(PATHS)
        value = self.value(type_)
        at = ", ".join(map(str, self.pick(PATHS[type_])))
        if self.chance(0.5):
            self.new(type_, f"insertvalue {type_} {value}, double {self.variable()}, {at}")
        self.settled(self.new(DOUBLE, f"extractvalue {type_} {value}, {at}"))

    def do_aggregate_memory(self) -> None:
        type_, at = self.pick((PAIR, ARRAY)), self.place(2)
        if self.chance(0.5):
            self.new(type_, f"load {type_}, ptr {at}, align 8")
        else:
            self.say(f"store {type_} {self.aggregate_of_bounded(type_)}, ptr {at}, align 8")

    def aggregate_of_bounded(self, type_: str) -> str:
        one = self.new(type_, f"insertvalue {type_} zeroinitializer, double {self.settled()}, 0")
        return self.new(type_, f"insertvalue {type_} {one}, double {self.settled()}, 1")

    def do_vector(self) -> None:
        a, b = self.value(VECTOR), self.value(VECTOR)
        match self.random.randrange(8):
            case 0:
                r = self.new(VECTOR, f"{self.pick(('fadd', 'fmul', 'fsub'))} {VECTOR} {a}, {b}")
                self.call(VECTOR, "llvm.sin.v2f64", f"{VECTOR} {r}")
            case 1:
                mask = f"<i32 {self.random.randrange(4)}, i32 {self.random.randrange(4)}>"
                self.new(VECTOR, f"shufflevector {VECTOR} {a}, {VECTOR} {b}, <2 x i32> {mask}")
            case 2:
                c = self.new("<2 x i1>", f"fcmp {self.pick(PREDICATES)} {VECTOR} {a}, {b}")
                self.new(VECTOR, f"select <2 x i1> {c}, {VECTOR} {a}, {VECTOR} {b}")
            case 3:
                self.settled(self.call(DOUBLE, "llvm.vector.reduce.fadd.v2f64", f"double 0.3 , {VECTOR} {a}"))
            case 4:
                self.settled(self.call(DOUBLE, "llvm.vector.reduce.fmul.v2f64", f"double 0.7 , {VECTOR} {a}"))
            case 5:
                bits = self.new(BITS, f"bitcast {VECTOR} {a} to {BITS}")
                bits = self.new(BITS, f"shufflevector {BITS} {bits}, {BITS} poison, <2 x i32> <i32 1, i32 0>")
                self.new(VECTOR, f"bitcast {BITS} {bits} to {VECTOR}")
            case 6:
                self.call(VECTOR, "llvm.fabs.v2f64", f"{VECTOR} {a}")
            case _:
                self.call(VECTOR, "llvm.maxnum.v2f64", f"{VECTOR} {a} , {VECTOR} {b}")
        self.settled(self.new(DOUBLE, f"extractelement {VECTOR} {self.value(VECTOR)}, i64 {self.word(2)}"))

    def do_vector_memory(self) -> None:
        at = self.place(2)
        if self.chance(0.4):
            mask = self.new("<2 x i1>", f"fcmp ogt {VECTOR} {self.value(VECTOR)}, <double 0.2, double 0.4>")
            value = self.call(VECTOR, "llvm.sin.v2f64", f"{VECTOR} {self.value(VECTOR)}")
            if self.chance(0.5):
                self.declared["llvm.masked.load.v2f64.p0"] = (
                    f"declare {VECTOR} @llvm.masked.load.v2f64.p0(ptr, <2 x i1>, {VECTOR})"
                )
                name = "llvm.masked.load.v2f64.p0"
                self.new(VECTOR, f"call {VECTOR} @{name}(ptr align 8 {at}, <2 x i1> {mask}, {VECTOR} "
                                 f"{value})")  # fmt: skip
            else:
                self.declared["llvm.masked.store.v2f64.p0"] = (
                    f"declare void @llvm.masked.store.v2f64.p0({VECTOR}, ptr, <2 x i1>)"
                )
                self.say(f"call void @llvm.masked.store.v2f64.p0({VECTOR} {value}, ptr align 8 {at}, <2 x i1> {mask})")
            return
        value = self.call(VECTOR, "llvm.sin.v2f64", f"{VECTOR} {self.value(VECTOR)}")
        self.say(f"store {VECTOR} {value}, ptr {at}, align 8")

    def do_bits(self) -> None:
        """Numbers that travel as integers."""
        a = self.variable()
        match self.random.randrange(12):
            case 0 | 8 | 9 | 10 | 11:
                bits = self.new("bits", f"bitcast double {a} to i64")
                bits = self.new("bits", f"freeze i64 {bits}") if self.chance(0.5) else bits
                other = self.new("bits", f"bitcast double {self.variable()} to i64")
                bits = self.new("bits", f"select i1 {self.bit()}, i64 {bits}, i64 {other}")
                self.new(DOUBLE, f"bitcast i64 {bits} to double")
            case 1 | 4 | 5:
                bits = self.new("bits", f"load i64, ptr {self.place()}, align 8")
                self.say(f"store i64 {bits}, ptr {self.place()}, align 8")
            case 2 | 6 | 7:
                bits = self.new("bits", f"bitcast double {a} to i64")
                form = self.pick(("xor i64 {}, -9223372036854775808", "and i64 {}, 9223372036854775807"))
                bits = self.new("bits", form.format(bits))
                self.new(DOUBLE, f"bitcast i64 {bits} to double")
            case 3:
                at = self.place(2)
                bits = self.new("long", f"load i128, ptr {at}, align 8")
                self.say(f"store i128 {bits}, ptr {self.place(2)}, align 8")

    def do_copy(self) -> None:
        count = self.random.randint(1, 3)
        to, from_ = self.place(count), self.place(count)
        if self.chance(0.2):
            self.declared["llvm.memset.p0.i64"] = "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
            self.say(f"call void @llvm.memset.p0.i64(ptr {to}, i8 0, i64 {8 * count}, i1 false)")
            return
        self.declared["llvm.memmove.p0.p0.i64"] = "declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)"
        size = str(8 * count)
        if self.chance(0.3):
            size = self.new(WORD, f"mul i64 {self.word(count + 1)}, 8")
            self.scope.values[WORD].remove(size)
        self.say(f"call void @llvm.memmove.p0.p0.i64(ptr {to}, ptr {from_}, i64 {size}, i1 false)")

    def do_slot(self) -> None:
        """A pointer through memory."""
        a, n = self.pointer()
        b, m = self.pointer()
        self.say(f"store ptr {a}, ptr %slots, align 8")
        second = self.new(POINTER, "getelementptr inbounds ptr, ptr %slots, i64 1")
        self.say(f"store ptr {b}, ptr {second}, align 8")
        at = self.new(POINTER, f"getelementptr inbounds ptr, ptr %slots, i64 {self.word(2)}")
        self.scope.pointers.append((self.new(POINTER, f"load ptr, ptr {at}, align 8"), min(n, m)))

    def do_float(self) -> None:
        if not self.rounds:
            self.do_arithmetic()
            return
        f = self.new(FLOAT, f"fptrunc double {self.settled()} to float")
        v = self.new(FLOATS, f"insertelement {FLOATS} <float 0.5, float 1.5, float 0.25, float 0.75>, float {f}, i64 1")
        v = self.new(FLOATS, f"fmul {FLOATS} {v}, {v}")
        f = self.call(FLOAT, "llvm.vector.reduce.fadd.v4f32", f"float 0.0 , {FLOATS} {v}")
        self.new(DOUBLE, f"fpext float {f} to double")

    def do_call(self) -> None:
        if not self.helpers:
            self.do_arithmetic()
            return
        self.work += 3
        kind, name = self.pick(self.helpers)
        p, s = self.pointer(3)[0], self.variable()
        match kind:
            case "pair":
                r = self.new(PAIR, f"call {PAIR} @{name}(ptr {p}, double {s}, i64 {self.word(3)})")
                self.settled(self.new(DOUBLE, f"extractvalue {PAIR} {r}, 1"))
            case "mixed":
                v, a = self.value(VECTOR), self.value(NESTED)
                self.new(DOUBLE, f"call double @{name}(ptr {p}, {VECTOR} {v}, {NESTED} {a})")
            case "choose":
                q, c = self.pointer(3)[0], self.bit()
                r = self.new(POINTER, f"call ptr @{name}(ptr {p}, ptr {q}, i1 {c}, double {s})")
                self.scope.pointers.append((r, 3))
            case "memory":
                q = self.pointer(2)[0]
                self.say(f"call void @{name}(ptr sret({PAIR}) align 8 %result, ptr byval({ARRAY}) align 8 {q}, "
                         f"double {s})")  # fmt: skip
                self.settled(self.new(DOUBLE, "load double, ptr %result, align 8"))
                self.scope.pointers.append(("%result", 2))
            case _:
                deep = self.random.randint(0, 3)
                self.new(VECTOR, f"call {VECTOR} @{name}(ptr {p}, double {s}, i64 {deep})")

    def do_allocation(self) -> None:
        m = self.call(POINTER, "malloc", "i64 24")
        for at in range(3):
            to = self.new(POINTER, f"getelementptr inbounds double, ptr {m}, i64 {at}")
            self.say(f"store double {self.variable()}, ptr {to}, align 8")
        before = list(self.scope.pointers)
        self.scope.pointers.append((m, 3))
        for _ in range(3):
            self.simple()
        self.scope.pointers = before
        self.declared["free"] = "declare void @free(ptr)"
        self.say(f"call void @free(ptr {m})")

    def do_stack(self) -> None:
        """Memory of a size that is not constant, given back."""
        self.declared["llvm.stacksave.p0"] = "declare ptr @llvm.stacksave.p0()"
        self.declared["llvm.stackrestore.p0"] = "declare void @llvm.stackrestore.p0(ptr)"
        count = self.new(WORD, f"add i64 {self.word(3)}, 2")
        saved = self.new(POINTER, "call ptr @llvm.stacksave.p0()")
        m = self.new(POINTER, f"alloca double, i64 {count}, align 8")
        for at in range(2):
            to = self.new(POINTER, f"getelementptr inbounds double, ptr {m}, i64 {at}")
            self.say(f"store double {self.variable()}, ptr {to}, align 8")
        before = list(self.scope.pointers)
        self.scope.pointers.append((m, 2))
        for _ in range(2):
            self.simple()
        self.new(DOUBLE, f"load double, ptr {m}, align 8")
        self.scope.pointers = before
        self.say(f"call void @llvm.stackrestore.p0(ptr {saved})")

    SIMPLE = ("arithmetic",) * 4 + ("function",) * 3 + ("function_of_two",) * 2 + ("load",) * 3 + ("store",) * 4 + (
        "select", "select", "freeze", "aggregate", "aggregate", "aggregate_memory", "vector", "vector", "vector_memory",
        "bits", "copy", "slot", "float", "call", "call")  # fmt: skip

    def simple(self) -> None:
        kind = self.pick(self.SIMPLE)
        getattr(self, f"do_{kind}")()

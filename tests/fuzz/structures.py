"""Statements of the random functions about what memory is made of: lists, heap memory in loops, buffers that change
places, arrays that grow, pointers that go elsewhere, tables of pointers, arrays of variable length, structs."""

from __future__ import annotations


class StructureStatements:
    """Mixed into the generator, whose scope and vocabulary they use."""

    def do_walk(self, depth: int) -> None:
        array = self.pick(self.scope.arrays)
        q = self.name("q")
        state = self.enter(f"for (double *{q} = {array}; {q} < {array} + {self.scope.arrays[array]}; {q}++)", None)
        self.scope.scalars.append(f"(*{q})")
        self.say(f"*{q} = {self.settled(1)};")
        self.block(depth - 1)
        self.leave_loop(state)

    def do_list(self, depth: int) -> None:
        node, at, head = f"{self.prefix}_N", self.name("node"), self.name("head")
        returns, self.returns = self.returns, None
        outer = self.open("")
        self.say(f"{node} *{head} = NULL;")
        self.say(f"for (int i = 0; i < {self.count()}; i++) {{ {node} *new = malloc(sizeof *new); "
                 f"new->v = {self.value()} + i; new->w = 0.3; new->next = {head}; {head} = new; }}")  # fmt: skip
        state = self.enter(f"for ({node} *{at} = {head}; {at}; {at} = {at}->next)", None)
        self.scope.scalars += [f"{at}->v", f"{at}->w"]
        self.say(f"{at}->w = {self.settled(1)};")
        self.block(depth - 1)
        self.leave_loop(state)
        self.say(f"for ({node} *m = {head}; m; m = m->next) {self.pick(self.scope.scalars)} += 0.1 * m->v * m->w;")
        self.say(f"while ({head}) {{ {node} *m = {head}; {head} = m->next; free(m); }}")
        self.close(outer)
        self.returns = returns

    def do_heap_loop(self, depth: int) -> None:
        i, m = self.name("i"), self.name("m")
        returns, self.returns = self.returns, None
        state = self.enter(f"for (int {i} = 0; {i} < {self.count()}; {i}++)", i)
        self.scope.loops = 0
        allocate = self.pick((f"malloc(3 * sizeof *{m})", f"calloc(3, sizeof *{m})"))
        self.say(f"double *{m} = {allocate};")
        for at in range(3):
            self.say(f"{m}[{at}] = {self.value()};")
        self.scope.arrays[m] = 3
        self.block(depth - 1)
        self.say(f"{self.place()} = tanh({m}[0] * {m}[1] + {m}[2]);")
        self.say(f"free({m});")
        self.leave_loop(state)
        self.returns = returns

    def do_ping_pong(self, depth: int) -> None:
        big = [a for a, length in self.scope.arrays.items() if length >= 3]
        a, b, i, t = self.pick(big), self.pick(big), self.name("i"), self.name("t")
        p, q = self.name("p"), self.name("q")
        outer = self.open("")
        self.say(f"double *{p} = {a}, *{q} = {b};")
        state = self.enter(f"for (int {i} = 0; {i} < {self.count()}; {i}++)", i)
        self.scope.arrays |= {p: 3, q: 3}
        self.scope.loops = 0
        self.say(f"for (int j = 0; j < 3; j++) {q}[j] = sin({p}[j]) + 0.2 * {p}[(j + 1) % 3];")
        self.block(depth - 1)
        self.say(f"double *{t} = {p};")
        self.say(f"{p} = {q};")
        self.say(f"{q} = {t};")
        self.leave_loop(state)
        self.say(f"{self.place()} = 0.3 * {p}[0] + {q}[1];")
        self.close(outer)

    def do_grow(self, depth: int) -> None:
        v, i = self.name("v"), self.name("i")
        returns, self.returns = self.returns, None
        outer = self.open("")
        self.say(f"double *{v} = malloc(sizeof *{v});")
        self.say(f"{v}[0] = {self.value()};")
        state = self.enter(f"for (int {i} = 1; {i} < 2 + n; {i}++)", i)
        self.scope.loops = 0
        self.say(f"{v} = realloc({v}, ({i} + 1) * sizeof *{v});")
        self.say(f"{v}[{i}] = sin({v}[{i} - 1] + {self.value()});")
        self.say(f"{v}[{i} / 2] *= {self.value()};")
        if self.chance(0.5):
            self.block(depth - 1)
        self.leave_loop(state)
        self.say(f"for (int i = 0; i < n; i++) {self.pick(self.scope.scalars)} += 0.2 * {v}[i];")
        self.say(f"free({v});")
        self.close(outer)
        self.returns = returns

    def do_pointer_scope(self, depth: int) -> None:
        array = self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
        q = self.name("q")
        outer = self.open("")
        other = self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
        self.say(f"double *{q} = {self.condition()} ? {array} : {other};")
        self.scope.arrays[q] = 3
        self.block(depth - 1)
        self.say(f"if ({self.condition()}) {q} = {array};")
        self.block(depth - 1)
        self.close(outer)

    def do_records(self, depth: int) -> None:
        s, i = self.name("s"), self.name("i")
        target = self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
        outer = self.open("")
        self.say(f"{self.prefix}_S {s}[3];")
        self.say(f"for (int i = 0; i < 3; i++) {{ {s}[i].v = {self.value()} * (i + 1); {s}[i].tag = i;"
                 f" {s}[i].ptr = {target}; {s}[i].in.p = 0.2 * i; {s}[i].in.q = {self.value()};"
                 f" for (int j = 0; j < 3; j++) {s}[i].a[j] = {self.value()}; }}")  # fmt: skip
        if not self.precise:
            self.say(f"for (int i = 0; i < 3; i++) {s}[i].w = 0.5f;")
        state = self.enter(f"for (int {i} = 0; {i} < 3; {i}++)", i)
        self.scope.records += [f"{s}[{i}].", f"{s}[({i} + 1) % 3]."]
        self.block(depth - 1)
        if self.chance(0.5):
            self.say(f"{s}[{i}] = {s}[({i} + 2) % 3];")
        self.leave_loop(state)
        self.say(f"for (int i = 0; i < 3; i++) {self.place()} += 0.2 * {s}[i].v * {s}[i].a[i] + {s}[i].in.p;")
        self.close(outer)

    def do_two_out(self, depth: int) -> None:
        """Leaves two loops at once."""
        i, j, label = self.name("i"), self.name("j"), self.name("out")
        state = self.enter(f"for (int {i} = 0; {i} < 3; {i}++)", i)
        inner = self.enter(f"for (int {j} = 0; {j} < {self.count()}; {j}++)", j)
        self.block(depth - 2)
        self.say(f"if ({self.condition()}) goto {label};")
        self.block(depth - 2)
        self.leave_loop(inner)
        self.block(depth - 2)
        self.leave_loop(state)
        self.say(f"{label}:;")

    def do_read_only(self, depth: int) -> None:
        """Memory without derivative, or memory with one."""
        q, i = self.name("q"), self.name("i")
        array = self.pick([a for a, length in self.scope.arrays.items() if length >= 3])
        state = self.enter(f"for (int {i} = 0; {i} < 3; {i}++)", i)
        self.say(f"const double *{q} = {self.condition()} ? {self.constant()} : {array};")
        self.say(f"{self.place()} = tanh({q}[{i}] * {self.value()} + {q}[0]);")
        self.block(depth - 2)
        self.say(f"{self.place()} += {q}[({i} + 1) % 3];")
        self.leave_loop(state)

    def do_move_global(self, depth: int) -> None:
        """A global pointer goes elsewhere for a while."""
        p = f"{self.prefix}_gp"
        outer = self.open("")
        self.say(f"double *before = {p};")
        if "x" in self.scope.arrays:
            other = "x" if self.fixed else "y + 1"
            self.say(f"{p} = {self.condition()} ? x + {self.random.randint(0, 2)} : {other};")
        else:
            self.say(f"{p} = {self.prefix}_ga + {self.random.randint(0, 1)};")
        self.say(f"{p}[{self.index(3)}] = {self.settled(1)};")
        returns, self.returns, self.scope.loops = self.returns, None, 0
        self.block(depth - 1)
        self.returns = returns
        self.say(f"{p} = before;")
        self.close(outer)

    def do_vla(self, depth: int) -> None:
        w, i = self.name("w"), self.name("i")
        state = self.enter(f"for (int {i} = 1; {i} < 4; {i}++)", i)
        self.say(f"double {w}[{i} + 2];")
        self.say(f"for (int i = 0; i < {i} + 2; i++) {w}[i] = {self.value()} * i;")
        self.scope.arrays[w] = 3
        self.block(depth - 1)
        self.say(f"{self.place()} = sin({w}[0] + {w}[1] * {w}[2]);")
        self.leave_loop(state)

    def do_union(self, _: int) -> None:
        u = self.name("u")
        self.say(f"{{ union {{ double d; uint64_t b; }} {u}; {u}.d = {self.settled(1)}; "
                 f"{self.place()} = {u}.d * {self.value()}; }}")  # fmt: skip

    def do_table(self, depth: int) -> None:
        big = [a for a, length in self.scope.arrays.items() if length >= 3]
        t, i = self.name("t"), self.name("i")
        outer = self.open("")
        self.say(f"double *{t}[3] = {{{self.pick(big)}, {self.pick(big)}, {self.pick(big)}}};")
        state = self.enter(f"for (int {i} = 0; {i} < 3; {i}++)", i)
        self.scope.arrays |= {f"{t}[{i}]": 3, f"{t}[({i} + 1) % 3]": 3}
        self.block(depth - 1)
        self.leave_loop(state)
        if self.chance(0.5):
            self.say(f"{t}[0] = {t}[2];")
            self.say(f"{t}[0][1] = {self.settled(1)};")
        self.close(outer)

"""The program to differentiate, brought to the form that derivatives are built from.

Everything that is reachable from the functions to differentiate is rewritten to something that means the same, without
what sweeps cannot follow or analyses cannot tell: the order of the steps is that of `Program.analyse`. The builders
read what results: the models of functions, the call graph, and what is known of their memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from enzyme_build.analysis.bytetypes import MemoryModels, memory_models
from enzyme_build.analysis.callgraph import CallGraph, call_graph
from enzyme_build.analysis.strings import mark_text
from enzyme_build.analysis.targets import Targets
from enzyme_build.errors import EnzymeBuildError, FindingsError

from .aligned_rooms import align_rooms
from .apart_arguments import promise_apart
from .atomic_sums import sums_for_exchanges
from .by_value import own_copies
from .byte_loops import copies_for_byte_loops
from .callbacks import Callbacks
from .casts import casts_as_arithmetic
from .checkpoint_loops import take_out_loops
from .chosen import read_chosen_again
from .copied_words import copy_noted_words, copy_words
from .decided_selects import decide_selects
from .edges import has_fixed_edges
from .equal_ways import join_equal_ways
from .harmless import define_numbers
from .inlined import lost_rules
from .iterations import iterations_as_functions
from .known_targets import call_known_targets
from .label_addresses import LabelAddresses
from .lane_casts import lanes_before_casts
from .library_settings import integers_for_settings
from .loop_form import canonical_loops
from .lost_addresses import cut_addresses, lost_addresses, lost_distances, mixed_addresses
from .merged_stores import split_merged_stores
from .metadata import kept_attributes
from .mixed_lanes import split_mixed_lanes
from .mixed_merges import mixed_merges
from .narrow_numbers import numbers_for_narrow
from .number_slots import without_number_slots
from .numbers_in_text import numbers_in_text
from .other_types import calls_of_other_types
from .overwritten import follow_ends, mark_overwritten
from .own_atomics import plain_atomics
from .parts_of_pointers import join_odd_parts, join_parts
from .passed_constants import calls_by_name, fold_passed_constants
from .passed_sizes import fold_passed_sizes
from .passed_words import integers_for_moves, pass_words
from .plain_assembly import plain_assembly
from .plain_calls import plain_calls, sums_and_flags
from .pointer_vectors import single_pointers, vectors_left
from .read_again import read_again
from .reducible import make_reducible
from .rounding import mark_rounding
from .settled_branches import settle_branches
from .sign_bits import signs_as_numbers
from .sorts import Sorts
from .split_copies import join_copies
from .split_headers import split_headers
from .split_pointers import join_split_pointers
from .split_structs import split_structs
from .stored_bits import read_stored_bits
from .stored_numbers import store_numbers_as_such
from .tagged_numbers import numbers_for_tags
from .unfolded_sums import unfold_sums
from .unwinding import without_second_returns, without_unwinding
from .vector_words import numbers_for_vectors
from .whole_words import join_halves
from .widened_loads import narrow_loads
from .words import pointers_for_words
from .words_apart import words_apart

if TYPE_CHECKING:
    from collections.abc import Mapping

    from enzyme_build.analysis.memory import Memory
    from enzyme_build.ir.function import Function
    from enzyme_build.ir.module import Module

    from .checkpoint_loops import CheckpointedLoop
    from .doubts import Doubts
    from .iterations import IterationFunction
    from .options import DifferentiationOptions

_RETYPINGS = 4


class Program:
    """What is reachable from the functions to differentiate."""

    def __init__(
        self, module: Module, options: DifferentiationOptions, findings: list[EnzymeBuildError], doubts: Doubts
    ) -> None:
        self.module = module
        self.findings = findings
        self.roots: frozenset[Function] = frozenset()
        self.iterations: dict[str, IterationFunction] = {}
        """Functions made of the iterations of loops, by name."""
        self.checkpoints: dict[str, CheckpointedLoop] = {}
        """Functions made of loops whose steps are checkpointed, and of the steps, by name."""
        self.memory: Mapping[Function, Memory] = {}
        self._untargeted = options.untargeted
        self._noted = bool(options.noted)
        self._doubts = doubts
        self._graph: CallGraph | None = None
        self._reversed: Mapping[Function, bool] = {}
        self._targets = Targets(module)
        self._callbacks = Callbacks(module)
        self._labels = LabelAddresses(module, findings)
        self.sorts = Sorts(module, self._targets)

    @property
    def graph(self) -> CallGraph:
        """Who calls whom."""
        assert self._graph is not None
        return self._graph

    @property
    def functions(self) -> list[Function]:
        """Callees before their callers, but for recursion."""
        return [function for component in self.graph.components for function in component]

    def analyse(self, roots: list[Function], reversed_: Mapping[Function, bool]) -> None:
        """Rewrite and look at everything reachable from the roots. Those in `reversed_` get both sweeps in one
        function, which returns the value, or not."""
        self.roots = frozenset(roots)
        self._reversed = reversed_
        self._graph = call_graph(self.module, roots, self._normalise)
        self.findings += lost_rules(self.module, self.functions)
        for function in self.functions:
            self._join_parts(function)
        calls = calls_by_name(self.functions)
        fold_passed_constants(self.functions, self.roots, calls)
        fold_passed_sizes(self.functions, self.roots, calls)
        words_apart(self.module, self.functions)
        if self._pass_words():
            words_apart(self.module, self.functions)  # what is read from the rooms that words go through, or written
        integers_for_settings(self.module, self.functions)
        for function in self.functions:
            self._rewrite(function)
        promise_apart(self.module, self.functions, self._fixed(), calls_by_name(self.functions))
        self.findings += vectors_left(self.module, self.functions)
        models = self._settled_types()
        models.find_owners()
        self.memory = models
        for look in (lost_addresses, cut_addresses, mixed_addresses, lost_distances, numbers_in_text):
            self.findings += look(self.module, models)

    def _normalise(self, function: Function) -> None:
        """Have the function's model branch as reverse sweeps can follow, and call by name whatever can be named: what
        is reachable follows from that."""
        fixed_edges = has_fixed_edges(self.module, function)
        if others := [*calls_of_other_types(self.module, function)]:
            raise FindingsError([*self.findings, *others])  # analyses rely upon it
        single_pointers(self.module.layout, function)
        decide_selects(function)
        self._labels.replace_gotos(function)
        without_unwinding(function)
        without_second_returns(function)
        if make_reducible(function) or fixed_edges:
            canonical_loops(function)
        split_merged_stores(self.module, function)
        copies_for_byte_loops(self.module, function)
        self._callbacks.call_forms(function, self.roots)
        for location in call_known_targets(self.module, function, self._targets, self._untargeted):
            self._doubts.no_target(function.name, location)
        self.sorts.rewrite(function)
        take_out_loops(self, function)
        join_equal_ways(self.module, function)
        if function in self._reversed:
            promise = "mustprogress" if "mustprogress" in self.module.attributes_of(function) else ""
            attributes, wanted = kept_attributes(self.module, function, promise), self._reversed[function]
            for found in iterations_as_functions(self.module, function, attributes, value_wanted=wanted):
                self.iterations[found.function.name] = found

    def _join_parts(self, function: Function) -> None:
        split_structs(self.module.layout, function)
        numbers_for_tags(self.module, function)
        join_odd_parts(self.module.layout, function)
        join_halves(self.module.layout, function)
        join_split_pointers(function)

    def _pass_words(self) -> bool:
        if not pass_words(self.module, self.functions, self._fixed()):
            return False
        replaced = {function for function in self.functions if function.name not in self.module.parsed}

        def prepare(function: Function) -> None:
            if function in replaced:
                self._normalise(function)
                self._join_parts(function)

        self._graph = call_graph(self.module, self.roots, prepare)
        return True

    def _fixed(self) -> set[Function]:
        """Those whose arguments are as others expect them."""
        made = {*self.iterations, *self.checkpoints, *self.sorts.hosts}
        return {*self.roots, *(function for function in self.functions if function.name in made)}

    def _rewrite(self, function: Function) -> None:
        """What needs no knowledge of memory."""
        self.findings += without_number_slots(self.module, function)
        sums_and_flags(function)
        integers_for_moves(function)
        store_numbers_as_such(self.module, function)
        mixed_merges(self.module, function)
        narrow_loads(function)
        read_stored_bits(self.module, function)
        own_copies(self.module, function)
        join_copies(self.module, function)
        align_rooms(self.module, function)
        casts_as_arithmetic(self.module, function)
        plain_assembly(self.module, function)
        sums_for_exchanges(function)
        plain_calls(self.module, function)
        single_pointers(self.module.layout, function)  # those of masked loads
        mark_overwritten(self.module, function)
        follow_ends(self.module, function)
        numbers_for_vectors(function)
        define_numbers(function)
        mark_rounding(self.module, function)
        lanes_before_casts(function)
        split_mixed_lanes(function)
        if signs_as_numbers(self.module, function):
            numbers_for_vectors(function)
            define_numbers(function)
        read_again(function)
        read_chosen_again(function)
        pointers_for_words(function)
        mark_text(self.module, function)

    def _look_at_memory(self) -> MemoryModels:
        return memory_models(self.module, self.graph, self.roots)

    def _settled_types(self) -> MemoryModels:
        """What is known of memory when everything that it tells of the code is done, and tells of memory again."""
        models = self._look_at_memory()
        if [function for function, memory in models.items() if plain_atomics(function, memory)]:
            models = self._look_at_memory()
        models = settle_branches(models, self._look_at_memory)
        # Words in pointer memory are pointers, which tells of other memory that it holds pointers; so with numbers.
        for _ in range(_RETYPINGS):
            retyped = [
                join_parts(function, memory)
                or unfold_sums(function, memory)
                or copy_words(self.module, function, memory)
                | pointers_for_words(function, memory)
                | numbers_for_narrow(function, memory)
                | (self._noted and copy_noted_words(self.module, function, memory))
                for function, memory in models.items()
            ]
            retyped += [signs_as_numbers(self.module, function, memory) for function, memory in models.items()]
            if not any(retyped):
                break
            models = self._look_at_memory()
        if [function for function, memory in models.items() if split_headers(self.module, function, memory)]:
            models = self._look_at_memory()
        return models

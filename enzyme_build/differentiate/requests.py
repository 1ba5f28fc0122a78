"""Finds the user's derivative requests and replaces them by calls to derivatives.

A request is a call to an undefined function whose name contains `__enzyme_autodiff` or another entry point.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.annotations import annotations_of, use_exported
from enzyme_build.analysis.known import has_rule, hinted
from enzyme_build.analysis.request import Mode
from enzyme_build.analysis.targets import Targets, functions_among
from enzyme_build.errors import EnzymeBuildError, FindingsError, InternalError, NotNotedError, RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.debug import location_of
from enzyme_build.ir.function import Function

from .by_reference import ByReferenceReader, check_host, is_by_reference
from .checkpoint_loops import define_marks
from .engine import Engine
from .export import export_derivatives, primal_of
from .known_targets import choose
from .noted import all_can_be_noted, warn
from .replay import check_links
from .request_call import Entry, RequestCall, entry_point
from .request_reader import RequestReader
from .rows import rows_at_once
from .virtual_reverse import make_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ir.module import Module
    from enzyme_build.ir.values import Value

    from .options import DifferentiationOptions


EXPORTED: Final = "exported"
"""In the module's cache: the exported derivatives by the names of their functions."""
_PREFIX: Final = "__enzyme_"
PLANS: Final = "plans"
"""In the module's cache: what was decided, in words, where that is asked for."""


def has_requests(text: str) -> bool:
    """Does an IR text mention an entry point?"""
    return _PREFIX in text


def lower_requests(module: Module, options: DifferentiationOptions, warnings: list[str]) -> bool:
    """Replace the requests that differentiate nothing but primal code; are others left?"""
    use_exported(module, options.exported)
    calls, ready, wrong = _read_requests(module)
    replayed = _share_tapes(calls)
    if len(ready) == len(calls) and not (options.explain or options.exports):
        # Nobody differentiates the callers, which compare addresses now.
        all_rows = rows_at_once(module, ready)
        calls += all_rows
        ready += all_rows
    engine = Engine(module, options)
    warn(engine.doubts, options.noted)
    engine.findings += wrong  # what the others ask for is looked at nevertheless
    engine.last_order = len(ready) == len(calls) and not (calls and options.exports)
    for request in ready:
        if has_rule(module, request.primal):
            request.primal = engine.called(request.primal, request.location)
    # What is exported may contain requests, which are answered first.
    exports = options.exports if not calls else ()
    exported = {primal_of(engine, export.function): None for export in exports}
    together: dict[Function, bool] = {}
    for request in ready:
        if request.mode is Mode.COMBINED:
            together[request.primal] = together.get(request.primal, False) or request.returns_primal
    engine.analyse(list({request.primal: None for request in ready} | exported), together)
    if options.noted:
        _check_notes(engine, replayed=replayed, exported=bool(exported))
    _lower_all(engine, ready)
    module.cache[EXPORTED] = export_derivatives(engine, exports)
    module.cache[PLANS] = engine.plans
    more = len(ready) < len(calls) or len(exports) < len(options.exports)
    if not more:
        _drop_remarks(module)
        define_marks(module)
    engine.finish(last=not more)
    warnings.extend(engine.doubts.messages())
    return more


def _read_requests(module: Module) -> tuple[list[RequestCall], list[RequestCall], list[EnzymeBuildError]]:
    """All requests, those that differentiate nothing but primal code, and what is wrong with others."""
    findings: list[EnzymeBuildError] = [*annotations_of(module).findings, *make_pairs(module)]
    calls, wrong = find_requests(module)
    ready = [request for request in calls if not _differentiates_requests(module, request.primal)]
    if findings or (wrong and not ready):
        raise FindingsError([*findings, *wrong])
    if calls and not ready:
        message = f"'{calls[0].primal.name}' asks for its own derivative"
        raise FindingsError([RequestError(message, location=calls[0].location, code="E0310")])
    return calls, ready, [*wrong]


def _share_tapes(calls: Sequence[RequestCall]) -> bool:
    """Note what becomes of the tapes that several requests on one function share; does any give tangents?"""
    reused = {request.primal.name for request in calls if "enzyme_nofree" in request.flags}
    replayed = {request.primal.name for request in calls if request.entry is Entry.FORWARD_SPLIT}
    reversed_ = {request.primal.name for request in calls if request.entry is Entry.REVERSE}
    for request in calls:
        if request.entry.has_tape:
            request.reusable = request.primal.name in reused
            request.replayed = request.primal.name in replayed
            request.unreversed = request.replayed and request.primal.name not in reversed_
    return bool(replayed)


def _lower_all(engine: Engine, ready: Sequence[RequestCall]) -> None:
    """Put derivatives in the place of requests; the engine gathers what is found against any."""
    from .lowering import lower

    replaced: dict[Value, Value] = {}
    for request in ready:
        try:
            request.resolve(replaced)
            value = lower(engine, request)
            context = engine.contexts.get(request.request()) if request.entry is not Entry.BATCH else None
            if context is not None:
                engine.doubts.look_at_request(request, context)
                check_host(request, context)
                if request.entry is Entry.FORWARD_SPLIT:
                    check_links(request, context)
            if value is not None:
                replaced[request.call] = value
        except FindingsError:
            if not engine.findings:
                raise
        except EnzymeBuildError as error:
            if isinstance(error, InternalError):
                raise
            if error.location is None:
                error.location = request.location
            engine.findings.append(error)


def _check_notes(engine: Engine, *, replayed: bool, exported: bool) -> None:
    """Refuse to note types of adjoints where that cannot be."""
    others = _where_not_noted(engine, replayed=replayed, exported=exported)
    if others:
        raise NotNotedError(
            "while the program runs it could be told which type is meant (see -Wenzyme-noted-types), but not in a link "
            f"{others}"
        )


def _where_not_noted(engine: Engine, *, replayed: bool, exported: bool) -> str:
    """What a link has in which types of adjoints cannot be noted: notes are of one derivative of first order."""
    if replayed:
        return "with '__enzyme_fwdsplit'"
    if exported:
        return "that exports derivatives"
    if not engine.last_order:
        return "with derivatives of derivatives, of whatever function: put those into a library of their own"
    return "" if all_can_be_noted(engine) else "with rules of the program's own, or other numbers than float and double"


def _drop_remarks(module: Module) -> None:
    """Remarks about memory (`__enzyme_double(p, n)`) are defined nowhere; they have done their work."""
    from .lowering import go_on

    for name in dict.fromkeys([*module.functions_mentioning(_PREFIX), *module.added_functions]):
        function = module.function(name)
        for block in function.blocks:
            remarks = [i for i in block.instructions if _is_remark(i)]
            for remark in remarks:
                module.replace_function(name)
                block.instructions.remove(remark)
                if isinstance(remark, ir.Invoke):
                    go_on(block, remark)


def _is_remark(i: ir.Instruction) -> bool:
    return isinstance(i, ir.CallBase) and isinstance(i.callee, Function) and hinted(i.callee) is not None


def find_requests(module: Module) -> tuple[list[RequestCall], list[RequestError]]:
    """All requests of the module, in the order of the text, and what is wrong with others."""
    found: list[RequestCall] = []
    wrong: list[RequestError] = []
    names = dict.fromkeys(module.functions_mentioning(_PREFIX))
    for name in [*names, *module.added_functions]:
        caller = module.function(name)
        _follow_choices(module, caller)
        for block in caller.blocks:
            for instruction in list(block.instructions):
                if not isinstance(instruction, ir.CallBase) or not isinstance(instruction.callee, Function):
                    continue
                entry = entry_point(instruction.callee.name)
                if entry is None and (meant := _meant(instruction.callee)) is not None:
                    wrong.append(_misspelt(module, instruction, meant))
                if entry is None or not instruction.callee.is_declaration:
                    continue
                if entry is Entry.VIRTUAL_REVERSE and instruction.arguments:
                    continue  # answered, or among the findings
                try:
                    reader = ByReferenceReader if is_by_reference(instruction.callee.name) else RequestReader
                    found.append(reader(module, caller, instruction, entry).read())
                except RequestError as error:
                    wrong.append(error)
    return found, wrong


def _meant(callee: Function) -> str | None:
    """The entry point whose name an undefined function almost has."""
    _, found, rest = callee.name.partition(_PREFIX)
    if not found or not callee.is_declaration or hinted(callee) is not None:
        return None
    word = re.match(r"[a-z]*", rest)
    assert word is not None
    from difflib import get_close_matches

    return next(iter(get_close_matches(_PREFIX + word[0], [entry.value for entry in Entry], n=1, cutoff=0.85)), None)


def _misspelt(module: Module, call: ir.CallBase, meant: str) -> RequestError:
    assert isinstance(call.callee, Function)
    return RequestError(
        f"'{call.callee.name}' is no function of the interface, and defined nowhere",
        location=location_of(module, call),
        hint=f"did you mean '{meant}'?",
        code="E0315",
    )


def _follow_choices(module: Module, caller: Function) -> None:
    """One request for each function, where the program chooses at run time which of several is differentiated."""
    for call in list(caller.instructions()):
        if not isinstance(call, ir.Call) or not isinstance(call.callee, Function) or not call.arguments:
            continue
        if entry_point(call.callee.name) is None or not call.callee.is_declaration:
            continue
        at = 1 if "sret" in call.argument_attributes[0] else 0
        chosen = functions_among(module, call.operands[at]) if at < len(call.arguments) else None
        if chosen is not None and len(chosen) > 1:
            module.replace_function(caller.name)
            choose(module, call, at, chosen)


def _differentiates_requests(module: Module, primal: Function) -> bool:
    """Does the function reach another request?"""
    targets = Targets(module)
    pending, seen = [primal], {primal}
    while pending:
        function = pending.pop()
        if not module.is_defined(function.name):
            continue
        for instruction in module.function(function.name).instructions():
            reached = targets.of(instruction) if isinstance(instruction, ir.CallBase) else ()
            for operand in (*instruction.operands, *reached):
                if isinstance(operand, Function) and operand not in seen:
                    if entry_point(operand.name) and operand.is_declaration:
                        return True
                    seen.add(operand)
                    pending.append(operand)
    return False

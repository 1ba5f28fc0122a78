"""What is said in a request must mean something there, and fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.request import Mode
from enzyme_build.ir.debug import subprogram_of
from enzyme_build.ir.types import FloatType, PointerType
from enzyme_build.ir.values import ConstantInt, NullPointer

from .markers import convertible, parameter_place
from .request_call import Entry, missing_seed
from .shadow_types import unlike_declared

if TYPE_CHECKING:
    from enzyme_build.ir.debug import DebugType

    from .request_call import RequestCall
    from .request_reader import RequestReader

_WITH_TAPE: Final = frozenset((Entry.AUGMENTED, Entry.REVERSE, Entry.FORWARD_SPLIT, Entry.TAPE_SIZE))
_UNSEEDED: Final = {
    Entry.FWDDIFF: ("takes tangents of arguments", "use __enzyme_autodiff"),
    Entry.FORWARD_SPLIT: ("takes tangents of arguments", "use __enzyme_autodiff"),
    Entry.AUGMENTED: ("runs the function forward", "pass the adjoint of the result to __enzyme_reverse"),
}
"""What requests do that have no use for an adjoint of the result, and where it belongs."""


def check_request(reader: RequestReader, request: RequestCall) -> None:
    """Raise the RequestError of what is wrong with a request that was read as a whole."""
    _check_types(reader, request)
    _check_seeds(reader, request)
    _check_options(reader, request)
    _check_shadows(reader, request)
    _check_tape(reader, request)


def _check_types(reader: RequestReader, request: RequestCall) -> None:
    """Variables must be what the parameters are declared to point to, as far as debug information tells of these."""
    primal = request.primal
    told = subprogram_of(reader.module, primal)
    parameters = told.parameters if told is not None else ()
    for number, actual in enumerate(request.actuals):
        place, _ = parameter_place(primal, number)
        if place > len(parameters) or actual.value is None or not isinstance(actual.value.type, PointerType):
            continue
        declared = parameters[place - 1].type
        found = unlike_declared(reader.module.layout, actual.value, declared)
        if found is not None and isinstance(primal.arguments[number].type, PointerType):
            raise reader.error(
                f"{reader.entry} of '{primal.name}': {reader.label(primal, number)} is declared as {_shown(declared)}, "
                f"but a variable of type {found} is passed",
                "pass the function's arguments in order and of their types, with the shadow behind each dup argument",
                "E0307",
            )


def _shown(declared: DebugType) -> str:
    while declared.kind in ("pointer", "array") and declared.element is not None:
        declared = declared.element
    return f"'{declared.name}' of {declared.size} bytes"


def _check_seeds(reader: RequestReader, request: RequestCall) -> None:
    """A struct result has no natural seed: reverse mode needs one said."""
    type_ = request.result_type
    natural = isinstance(type_, FloatType) or request.has_constant_result or not request.has_number_result
    if request.mode is Mode.COMBINED and not natural and not request.seeds:
        raise missing_seed(request)
    for seed in request.seeds:
        if not convertible(seed.type, type_) and not isinstance(seed.type, PointerType):
            raise reader.error(
                f"the value behind enzyme_seed has type {seed.type}, but '{request.primal.name}' returns {type_}",
                "pass a number, or for a struct the address of one",
                "E0307",
            )


def _check_options(reader: RequestReader, request: RequestCall) -> None:
    """What is said of a tape is for requests that make or read one, adjoints of the result for reverse mode."""
    if "enzyme_seed" in reader.said and reader.kind in _UNSEEDED:
        what, instead = _UNSEEDED[reader.kind]
        raise reader.error(
            f"{reader.entry} of '{request.primal.name}' {what}: enzyme_seed says nothing here",
            f"leave it out, or {instead}",
            "E0302",
        )
    if reader.kind in _WITH_TAPE:
        return
    unused = {"enzyme_nofree"} & request.flags | {"enzyme_tape", "enzyme_allocated"} & reader.said
    if unused:
        raise reader.error(
            f"{reader.entry} of '{request.primal.name}' has no tape: {min(unused)} says nothing here",
            "leave it out, or use __enzyme_augmentfwd and __enzyme_reverse",
            "E0302",
        )


def _check_shadows(reader: RequestReader, request: RequestCall) -> None:
    """Derivatives must go somewhere, and those of each lane elsewhere."""
    for number, actual in enumerate(request.actuals):
        label = reader.label(request.primal, number) if actual.shadows else ""
        if any(map(_is_null, actual.shadows)) and not (actual.value is not None and _is_null(actual.value)):
            raise reader.error(
                f"{reader.entry} of '{request.primal.name}': the shadow of {label} is a null pointer",
                "pass memory of the same shape for the derivative, or say enzyme_const",
                "E0306",
            )
        same = isinstance(actual.stride, ConstantInt) and actual.stride.value == 0
        if same and request.width > 1:
            raise reader.error(
                f"{reader.entry} of '{request.primal.name}': all {request.width} shadows of {label} are the same",
                "behind enzyme_dupv come the bytes from one shadow to the next, the value, and the first shadow",
                "E0305",
            )


def _check_tape(reader: RequestReader, request: RequestCall) -> None:
    if reader.kind in {Entry.REVERSE, Entry.FORWARD_SPLIT} and request.tape is not None and _is_null(request.tape):
        raise reader.error(
            f"{reader.entry} of '{request.primal.name}': the tape is a null pointer",
            "pass the tape that __enzyme_augmentfwd returned",
            "E0306",
        )
    if reader.kind is Entry.AUGMENTED and "enzyme_allocated" in reader.said and "enzyme_tape" not in reader.said:
        raise reader.error(
            f"{reader.entry} of '{request.primal.name}': enzyme_allocated tells how large the storage behind "
            "enzyme_tape is, which is missing",
            "say enzyme_tape, address too, or leave both out",
            "E0306",
        )


def _is_null(value: object) -> bool:
    return isinstance(value, NullPointer)


def order(request: RequestCall, kind: Entry, what: str) -> str:
    """What has to stand where."""
    match what:
        case "shadow of argument" if request.width > 1:
            return f"with enzyme_width, {request.width} each dup argument is followed by {request.width} shadows"
        case "shadow of argument" if request.mode is Mode.FORWARD:
            return "each dup argument is followed by its shadow, each number by its tangent, unless it is enzyme_const"
        case "shadow of argument":
            return "each dup argument is followed by its shadow"
        case "stride of argument":
            return "behind enzyme_dupv come the bytes from one shadow to the next, the value, and the first shadow"
        case "adjoint of the result" | "tape":
            return "behind the arguments come the adjoint of an active result (reverse pass), then the tape"
        case _ if kind is Entry.BATCH:
            return f"enzyme_vector is followed by {request.width} values, enzyme_scalar by one"
        case _:
            return "after the function come all its arguments in order"

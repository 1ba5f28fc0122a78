"""Requests from Fortran (`use enzyme`): everything is passed by its address.

`call enzyme_autodiff(f, x, x_bar, n, y, y_bar)` names the procedure, then its arguments with their shadows, as every
request does, and behind them where the result of a function goes: a variable for the value and one for its adjoint or
tangent, or only the latter. What f takes by value is read from its address; what it returns comes back through
memory. Without a marker the declared type decides, which debug information tells: numbers are dup, integers, logicals
and characters constant.

An implicit interface passes addresses only: an argument that f expects as a descriptor (assumed shape, allocatable,
pointer, polymorphic) is refused, and so is a procedure whose arguments are not known for sure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from enzyme_build.analysis.aliasing import closure
from enzyme_build.analysis.offsets import scalar_leaves
from enzyme_build.analysis.request import Activity, Mode
from enzyme_build.errors import RequestError
from enzyme_build.ir import instructions as ir
from enzyme_build.ir.builder import Builder
from enzyme_build.ir.debug import DebugType, debug_attachment, is_fortran, subprogram_of
from enzyme_build.ir.function import Function
from enzyme_build.ir.types import I64, PTR, VOID, FloatType, IntType, Type
from enzyme_build.ir.values import Argument, ConstantInt, GlobalVariable, Value, const_int, zero
from enzyme_build.records import dataclass

from .markers import MAXIMUM_WIDTH, marker_name
from .request_call import Actual, Delivery, Entry
from .request_reader import RequestReader
from .shadow_types import variable_type

if TYPE_CHECKING:
    from enzyme_build.ir.module import Module

    from .context import Context
    from .request_call import RequestCall

_PREFIX: Final = "fortran__enzyme_"
_ENTRIES: Final = {f"{_PREFIX}autodiff": Entry.AUTODIFF, f"{_PREFIX}fwddiff": Entry.FWDDIFF}
_BY_OTHER_MEANS: Final = ("sret(", "byval(", "inalloca(", "preallocated(")
_DERIVATIVE: Final = "variable for the derivative of the result"
_STRUCT_BY_VALUE: Final = "takes a derived type or complex number by value"
_INTERFACE: Final = "declare an interface of your own for the request, with the argument as it is"


def is_by_reference(name: str) -> bool:
    """Is it an entry point of the module `enzyme`?"""
    return name.removesuffix("_") in _ENTRIES


class ByReferenceReader(RequestReader):
    """Reads the arguments of one request from Fortran."""

    def __init__(self, module: Module, caller: Function, call: ir.CallBase, kind: Entry) -> None:
        super().__init__(module, caller, call, kind)
        self.host: Value | None = None
        """Where the variables of the host are, if it is an internal procedure that uses some."""
        self.adjoints: list[Delivery] = []
        """Where adjoints of numbers passed by value are added to."""
        self.entry = kind.value.removeprefix("__")
        module.replace_function(caller.name)
        self.builder = Builder(call.block, debug_attachment(call))
        self.builder.position = call.block.instructions.index(call)

    def _width(self) -> int:
        for at, option in enumerate(self.arguments[:-1]):
            if marker_name(option) == "enzyme_width":
                found = _constant_behind(self.caller, self.arguments[at + 1])
                if found is None or not 1 <= found <= MAXIMUM_WIDTH:
                    raise self.error(
                        f"enzyme_width needs a constant from 1 to {MAXIMUM_WIDTH} behind it",
                        "write the number itself; take more directions by several calls",
                        "E0303",
                    )
                return found
        return 1

    def _arguments(self, request: RequestCall) -> None:
        """The arguments of the procedure, where its result goes, and the lengths of characters."""
        primal = request.primal
        declared = self._declared(primal)
        self.names = [parameter.name for parameter in declared]
        hidden = primal.arguments[len(declared) :]
        lengths = [argument for argument in hidden if not _is_host(argument)]
        self.end = len(self.arguments) - len(lengths)
        for number, parameter in enumerate(declared):
            if parameter.type is PTR and _has_descriptor(parameter.source):
                raise self.error(
                    f"{self.label(primal, number)} of '{primal.name}' is assumed-shape, allocatable, a pointer or "
                    f"polymorphic, but {self.entry} passes addresses only",
                    f"declare it with its shape, as in 'x(n)', or {_INTERFACE}",
                    "E0313",
                )
            self._argument(request, number, parameter)
        self._result(request)
        if len(lengths) < len(hidden):
            if self.host is None:
                raise self._unknown(primal, "is an internal procedure whose host is not known")
            request.actuals.append(Actual(Activity.CONSTANT, self.host, is_host=True))
        for argument in lengths:
            length = self._take(request, len(request.actuals), "length of character argument", argument.type)
            request.actuals.append(Actual(Activity.CONSTANT, length))

    def _function(self, value: Value) -> Function:
        """An internal procedure with variables of its host is passed as code that is made at run time."""
        adjusted = value if isinstance(value, ir.Call) and _called(value) == "llvm.adjust.trampoline" else None
        code = adjusted.operands[0] if adjusted is not None else value
        made = [i for i in self.caller.instructions() if _called(i) == "llvm.init.trampoline" and i.operands[0] is code]
        if len(made) == 1:
            _, procedure, self.host, *_ = made[0].operands
            self.call.operands[self.at] = procedure
            _drop_trampoline(self.caller, adjusted, made[0])
            value = procedure
        return super()._function(value)

    def _declared(self, primal: Function) -> list[_Parameter]:
        """The parameters that the source declares; behind them LLVM has the lengths of characters."""
        if any(word in argument.attributes for argument in primal.arguments for word in _BY_OTHER_MEANS):
            raise self._unknown(primal, "takes or returns a derived type by value")
        source = subprogram_of(self.module, primal)
        types = [argument.type for argument in primal.arguments if not _is_host(argument)]
        listed = source.parameters if source is not None else ()
        if len(types) < len(primal.arguments):
            listed = listed[:-1]  # the last that the source knows is the host's variables
        fortran = is_fortran(self.module, primal)
        if PTR in types and (source is None or (fortran and not listed)):
            raise self._unknown(
                primal,
                "was compiled without debug information, which tells what its arguments are",
                "remove -g0 or -g1",
            )
        if not fortran:
            # What pointers point to is what Fortran passes.
            known = [p.type.element if p.type.kind == "pointer" else p.type for p in listed]
            known = known if len(known) == len(types) else [None] * len(types)
            names = [argument.name or "" for argument in primal.arguments]
            return [_Parameter(*of_one) for of_one in zip(types, known, names, strict=True)]
        if not all(type_ is I64 for type_ in types[len(listed) :]) or len(listed) > len(types):
            raise self._unknown(primal, _STRUCT_BY_VALUE)
        if listed and not listed[-1].name:
            # The address for the result would be the first, and every name one place off.
            raise self._unknown(primal, "returns an array or derived type, or does not use its last argument")
        found = [_Parameter(types[index], parameter.type, parameter.name) for index, parameter in enumerate(listed)]
        if not all(parameter.is_plain for parameter in found):
            raise self._unknown(primal, _STRUCT_BY_VALUE)
        return found

    def _unknown(self, primal: Function, what: str, hint: str = "") -> RequestError:
        hint = hint or "differentiate a subroutine with all of it in its arguments"
        return self.error(f"{self.entry}: '{primal.name}' {what}", hint, "E0314")

    def _argument(self, request: RequestCall, number: int, parameter: _Parameter) -> None:
        told = self._options(request)
        activity = told or self._by_type(request, number, parameter)
        if activity is Activity.ACTIVE:
            raise self.error(
                f"enzyme_out on {self.label(request.primal, number)} of '{request.primal.name}': nothing is returned",
                "use enzyme_dup with a variable behind it for the derivative",
                "E0304",
            )
        stride = self._stride(request, number) if self.strided else None
        value = self._take(request, number, "argument", PTR)
        if parameter.type is PTR:
            doubtful = activity is Activity.CONSTANT if told is None else parameter.may_be_address
            actual = Actual(activity, value, stride=stride, is_told_integer=doubtful)
            request.actuals.append(actual)
            if activity.has_shadow:
                self._shadows(request, actual, number, PTR)
            return
        if stride is not None:
            raise self.error(
                f"enzyme_dupv on {self.label(request.primal, number)} of '{request.primal.name}', which is no array",
                "use enzyme_dup with its tangents",
                "E0305",
            )
        self._by_value(request, number, value, parameter.type, activity)

    def _stride(self, request: RequestCall, number: int) -> Value:
        """Of a variable not even the size is known: it must be a constant."""
        found = _constant_behind(self.caller, self._take(request, number, "stride of argument", PTR))
        self.strided = False
        if found is None:
            raise self.error(
                f"enzyme_dupv on {self.label(request.primal, number)} of '{request.primal.name}' needs a constant",
                "write the number of bytes itself, or all shadows behind enzyme_dup",
                "E0303",
            )
        return const_int(I64, found)

    def _by_value(self, request: RequestCall, number: int, address: Value, type_: Type, activity: Activity) -> None:
        """An argument with the attribute `value`: read here; its adjoint is added to the shadow variable."""
        actual = Actual(Activity.CONSTANT, self.builder.load(type_, address))
        request.actuals.append(actual)
        if not activity.has_shadow:
            return
        shadows = [self._take(request, number, "shadow of argument", PTR) for _ in range(request.width)]
        if not type_.is_float:
            return
        actual.activity = Activity.ACTIVE
        if request.mode is Mode.FORWARD:
            actual.shadows = [self.builder.load(type_, shadow) for shadow in shadows]
        else:
            self.adjoints += [Delivery(shadow, adds=True) for shadow in shadows]

    def _by_type(self, request: RequestCall, number: int, parameter: _Parameter) -> Activity:
        """Of an argument without a marker."""
        if parameter.type is not PTR:
            return Activity.DUPLICATED if parameter.type.is_float else Activity.CONSTANT
        carries = _carries_numbers(parameter.source) if parameter.source is not None else None
        if carries is None:
            raise self.error(
                f"{self.label(request.primal, number)} of '{request.primal.name}' has a type that is not known",
                "say enzyme_dup or enzyme_const in front of it",
                "E0314",
            )
        return Activity.DUPLICATED if carries else Activity.CONSTANT

    def _result(self, request: RequestCall) -> None:
        """Where the result of a function goes, and its adjoint comes from."""
        type_ = request.primal.function_type.result
        if "enzyme_primal_return" in request.flags:
            raise self.error(
                "enzyme_primal_return: nothing is returned",
                "behind the arguments of a function come a variable for its result and one for the derivative",
            )
        if type_ is VOID:
            if request.seeds:
                raise self.error(f"enzyme_seed: '{request.primal.name}' returns nothing", "shadows hold the adjoints")
            request.deliveries += self.adjoints
            return
        told = self._options(request)
        if self.strided:
            raise self.error("enzyme_dupv on a result", "use enzyme_dup with all variables for it", "E0305")
        left, width = self.end - self.at, request.width
        numbers = any(leaf.is_float for _, leaf, _ in scalar_leaves(self.module.layout, type_))
        if not numbers or told is Activity.CONSTANT:
            request.flags.add("enzyme_const_return")
        with_shadows = not request.has_constant_result and (left >= width or told is not None)
        if left > (width if with_shadows and told is None else 0):
            value = self._variable(request, "variable for the result", type_)
            request.flags.add("enzyme_primal_return")
            request.deliveries.append(Delivery(value))
        shadows = [self._variable(request, _DERIVATIVE, type_) for _ in range(width)] if with_shadows else []
        if request.mode is not Mode.FORWARD:
            self._seed(request, type_, shadows)
        elif not with_shadows and not request.has_constant_result:
            raise self.error(
                f"{self.entry} of '{request.primal.name}': missing variable for the tangent of the result",
                "it comes behind the arguments; say enzyme_noret if it does not count",
                "E0306",
            )
        request.deliveries += self.adjoints if request.mode is not Mode.FORWARD else map(Delivery, shadows)

    def _variable(self, request: RequestCall, what: str, type_: Type) -> Value:
        """The variable for a result, or for its derivative."""
        value = self._take(request, 0, what, PTR)
        found = variable_type(self.module.layout, value)
        if found is not None and isinstance(type_, (FloatType, IntType)) and found is not type_:
            raise self.error(
                f"{self.entry} of '{request.primal.name}': the {what} has type {found}, expected {type_}",
                "declare it as the function is declared",
                "E0307",
            )
        return value

    def _seed(self, request: RequestCall, type_: Type, shadows: list[Value]) -> None:
        """The adjoint of the result is taken out of its variable, as of memory that is overwritten."""
        if shadows and request.seeds:
            raise self.error("enzyme_seed and a variable with the adjoint of the result", "give one of them")
        request.seeds = [self.builder.load(type_, address) for address in shadows or request.seeds]
        for address in shadows:
            self.builder.store(zero(type_), address)
        if not request.seeds and not request.has_constant_result and not isinstance(type_, FloatType):
            raise self.error(
                f"'{request.primal.name}' returns several numbers: reverse mode needs to know their adjoints",
                "behind the arguments comes a variable that holds them",
                "E0320",
            )


def check_host(request: RequestCall, context: Context) -> None:
    """Variables of the host are constant: refuse numbers with derivatives in them."""
    places = (
        place
        for actual, argument in zip(request.actuals, context.function.arguments, strict=True)
        if actual.is_host and (place := context.memory.place(argument)) is not None
    )
    for region in closure(*places):
        if region.writes and region in context.activity.varied_regions:
            raise RequestError(
                f"'{request.primal.name}' leaves numbers that depend on active arguments in variables of its host",
                location=request.location,
                hint="pass the variables as arguments, or make them and the procedure parts of a module",
                code="E0314",
            )


@dataclass(frozen=True, slots=True)
class _Parameter:
    """A parameter that the source declares: how it is passed, and what it is declared as."""

    type: Type
    source: DebugType | None
    name: str

    @property
    def may_be_address(self) -> bool:
        """Of an address passed by value, debug information says the same as of an integer of eight bytes."""
        return self.source is not None and self.source.kind == "int" and self.source.size == I64.bits // 8

    @property
    def is_plain(self) -> bool:
        """Is what is passed what is declared: an address, or one number or integer?"""
        if self.type is PTR or self.source is None:
            return True
        return self.source.kind == "float" if self.type.is_float else self.source.kind in {"int", "bool"}


def _called(i: ir.Instruction) -> str:
    return i.callee.name if isinstance(i, ir.Call) and isinstance(i.callee, Function) else ""


def _drop_trampoline(caller: Function, adjusted: ir.Instruction | None, made: ir.Instruction) -> None:
    """Code that nobody calls any more would still ask for a stack that can be executed."""
    for unused, result in ((adjusted, adjusted), (made, made.operands[0])):
        if unused is None:
            continue
        users = (i for i in caller.instructions() if result in i.operands and i is not unused)
        if not all(_called(i).startswith("llvm.lifetime.") for i in users):
            return
        block = unused.block
        at = block.instructions.index(unused)
        block.instructions.remove(unused)
        for record in block.records:
            record.index -= record.index > at


def _is_host(argument: Argument) -> bool:
    """Is it the parameter through which an internal procedure finds its host's variables?"""
    return "nest" in argument.attributes.split()


def _has_descriptor(type_: DebugType | None) -> bool:
    """Pointers in a Fortran source are descriptors, except those to procedures."""
    if type_ is None:
        return False
    if type_.kind == "pointer":
        return type_.element is None or type_.element.kind != "function"
    return type_.has_descriptor


def _carries_numbers(type_: DebugType | None, around: tuple[str, ...] = ()) -> bool | None:
    """Can memory of this type have a derivative? None where that is not known."""
    if type_ is None:
        return None
    match type_.kind:
        case "float" | "complex":
            return True
        case "int" | "bool" | "string" | "function":
            return False
        case "array" | "pointer":
            return _carries_numbers(type_.element, around)
        case "struct":
            if type_.reference in around:
                return False
            found = [_carries_numbers(member.type, (*around, type_.reference)) for member in type_.members]
            return True if True in found else None if None in found else False
        case _:
            return None


def _constant_behind(caller: Function, address: Value) -> int | None:
    """The integer that this address has for good: a literal of the source."""
    if isinstance(address, GlobalVariable):
        text = (address.is_constant and address.initializer) or ""
        return int(text) if text.isdecimal() else None
    if not isinstance(address, ir.Alloca):
        return None
    stores = [i for i in caller.instructions() if isinstance(i, ir.Store) and i.pointer is address]
    values = [store.value for store in stores if isinstance(store.value, ConstantInt)]
    return values[0].value if len(values) == len(stores) == 1 else None

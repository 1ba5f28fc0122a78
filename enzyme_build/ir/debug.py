"""Debug information: where an instruction comes from, and which types the source gave to parameters.

Types are read lazily, member by member, because they are recursive (`struct node { struct node *next; }`). Sizes and
offsets are in bytes.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from enzyme_build.errors import SourceLocation
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

from .metadata import parse_node

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from .function import Block, DebugRecord, Function
    from .instructions import Instruction
    from .metadata import MetadataNode
    from .module import Module
    from .values import Value

_DBG: Final = regex(r"!dbg (!\d+)")
_ARGUMENT: Final = regex(r"(!\d+) = !DILocalVariable\(name: \"[^\"]*\", arg: (\d+), scope: (!\d+)")
_TRANSPARENT: Final = frozenset(
    f"DW_TAG_{tag}_type" for tag in ("const", "volatile", "restrict", "atomic", "immutable")
) | {"DW_TAG_typedef", "DW_TAG_template_alias"}
_POINTERS: Final = frozenset(
    ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type", "DW_TAG_ptr_to_member_type")
)
_THROUGH_DESCRIPTOR: Final = ("dataLocation", "stringLocationExpression")
_ENCODINGS: Final = {
    "DW_ATE_float": "float",
    "DW_ATE_complex_float": "complex",
    "DW_ATE_boolean": "bool",
    "DW_ATE_address": "pointer",
}
_COMPOSITES: Final = {
    "DW_TAG_structure_type": "struct",
    "DW_TAG_class_type": "struct",
    "DW_TAG_union_type": "union",
    "DW_TAG_array_type": "array",
    "DW_TAG_enumeration_type": "int",
    "DW_TAG_variant_part": "union",
}


def debug_attachment(instruction: Instruction) -> str:
    """The instruction's place in the source, as an attachment for what takes its place; empty without one."""
    match = _DBG.search(instruction.metadata)
    return match[0] if match else ""


@dataclass(frozen=True)
class DebugMember:
    """A member of a struct or union; a base class has no name."""

    name: str
    offset: int
    type: DebugType


class DebugType:
    """A type of the source.

    `kind` is float, complex, int, bool, pointer, struct, union, array, string, function or unknown; `name` the name in
    the source (of the typedef, if there is one), `size` in bytes, 0 where unknown.
    """

    def __init__(self, module: Module, reference: str) -> None:
        self._module = module
        self.reference = reference
        self.name = ""
        node = module.find_node(reference)
        self.is_const = False
        while node is not None and node.fields.get("tag") in _TRANSPARENT:
            self.name = self.name or node.string("name")
            self.is_const |= node.fields["tag"] == "DW_TAG_const_type"
            node = module.find_node(node.fields.get("baseType", "null"))
        self._node = node
        self.kind = _kind(node)
        self.size = 0 if node is None else node.number("size") // 8
        if node is not None:
            self.name = self.name or node.string("name")
            if self.kind == "array" and self.size == 0:
                element, count = self.element, self.count
                self.size = element.size * count if element is not None and count is not None else 0

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name or self.reference} of {self.size} bytes>"

    @property
    def element(self) -> DebugType | None:
        """What a pointer points to, an array consists of, or the part of a complex number; None for `void *`."""
        if self._node is None or self.kind not in ("pointer", "array"):
            return None
        base = self._node.fields.get("baseType", "null")
        return None if base == "null" else debug_type(self._module, base)

    @property
    def dimensions(self) -> tuple[int | None, ...]:
        """Extents of an array, None where the source leaves them open."""
        if self._node is None or self.kind != "array":
            return ()
        result: list[int | None] = []
        for reference in _elements(self._module, self._node):
            extent = self._module.find_node(reference)
            count = extent.fields.get("count", "") if extent is not None else ""
            upper = extent.fields.get("upperBound", "") if extent is not None else ""
            if _is_number(count):
                result.append(int(count) if int(count) >= 0 else None)
            elif extent is not None and _is_number(upper):
                result.append(int(upper) - extent.number("lowerBound") + 1)
            else:
                result.append(None)
        return tuple(result)

    @property
    def lengths(self) -> tuple[str, ...]:
        """What metadata says the dimensions of an array are: numbers, references to variables, nothing."""
        references = () if self._node is None or self.kind != "array" else _elements(self._module, self._node)
        extents = (self._module.find_node(reference) for reference in references)
        return tuple(extent.fields.get("count", "") if extent is not None else "" for extent in extents)

    @property
    def has_descriptor(self) -> bool:
        """Is the variable of this type a descriptor, with the address of the data in it (Fortran)?"""
        return self._node is not None and not self._node.fields.keys().isdisjoint(_THROUGH_DESCRIPTOR)

    @property
    def count(self) -> int | None:
        """How many elements an array has in all."""
        total = 1
        for extent in self.dimensions:
            if extent is None:
                return None
            total *= extent
        return total

    @property
    def is_assumed_rank(self) -> bool:
        """Is it an array of Fortran's whose number of dimensions is known at run time only?"""
        references = () if self._node is None else _elements(self._module, self._node)
        extents = (self._module.find_node(reference) for reference in references)
        return any(extent is not None and extent.kind == "DIGenericSubrange" for extent in extents)

    @property
    def members(self) -> tuple[DebugMember, ...]:
        """Data members and base classes of a struct or union, in the order of the source."""
        if self._node is None or self.kind not in ("struct", "union"):
            return ()
        result: list[DebugMember] = []
        for reference in _elements(self._module, self._node):
            node = self._module.find_node(reference)
            if node is None or "DIFlagStaticMember" in node.fields.get("flags", ""):
                continue
            tag = node.fields.get("tag", "")
            if tag in ("DW_TAG_member", "DW_TAG_inheritance"):
                type_ = debug_type(self._module, node.fields.get("baseType", "null"))
                result.append(DebugMember(node.string("name"), node.number("offset") // 8, type_))
            elif tag == "DW_TAG_variant_part":
                result.append(DebugMember("", node.number("offset") // 8, debug_type(self._module, reference)))
        return tuple(result)


@dataclass(frozen=True)
class DebugParameter:
    """Parameter `index` (from 0, as the source counts) of a function; the name may be empty."""

    name: str
    index: int
    type: DebugType
    """As the type of the function has it."""
    variable: DebugType | None = None
    """As its own declaration has it, which may say more of arrays."""


@dataclass(frozen=True)
class Subprogram:
    """What the source says of a function; `result` is None for none."""

    name: str
    linkage_name: str
    location: SourceLocation
    parameters: tuple[DebugParameter, ...]
    result: DebugType | None


def debug_type(module: Module, reference: str) -> DebugType:
    """The type of metadata node `reference`; one object per node."""
    key = f"debug type {reference}"
    found = module.cache.get(key)
    if not isinstance(found, DebugType):
        found = module.cache[key] = DebugType(module, reference)
    return found


def declared_types(module: Module, function: Function) -> Mapping[Value, list[tuple[Block, DebugRecord, DebugType]]]:
    """Types of variables by the address at which debug records declare them."""
    found: dict[Value, list[tuple[Block, DebugRecord, DebugType]]] = {}
    for block in function.blocks:
        for record in block.records:
            if not record.text.startswith("#dbg_declare(ptr {},") or len(record.operands) != 1:
                continue
            variable = module.find_node(record.text.split(",")[1].strip())
            if variable is not None and "!DIExpression()" in record.text:
                type_ = debug_type(module, variable.fields.get("type", "null"))
                found.setdefault(record.operands[0], []).append((block, record, type_))
    return found


def location_of(module: Module, instruction: Instruction) -> SourceLocation | None:
    """The innermost place in the source that has a line number; of an instruction without one (optimisers leave such),
    the place of the nearest one in its block, or of its function."""
    block = getattr(instruction, "block", None)
    near: Sequence[Instruction] = block.instructions if block is not None else (instruction,)
    at = near.index(instruction) if instruction in near else 0
    for i in (instruction, *reversed(near[:at]), *near[at + 1 :]):
        for location in location_chain(module, i):
            if location.line:
                return location
    function = block.function if block is not None else None
    if function is not None and (place := _place_of(module, function)) is not None:
        return place
    return next(iter(location_chain(module, instruction)), None)


def _place_of(module: Module, function: Function) -> SourceLocation | None:
    match = _DBG.search(function.suffix) or _DBG.search(function.prefix)
    node = module.find_node(match[1]) if match else None
    if match is None or node is None or not node.number("line"):
        return None
    return SourceLocation(_file_of_scope(module, match[1]), node.number("line"))


def location_chain(module: Module, instruction: Instruction) -> list[SourceLocation]:
    """The place of `instruction` and the calls it was inlined through, innermost first."""
    match = _DBG.search(instruction.metadata)
    chain: list[SourceLocation] = []
    node = module.find_node(match[1]) if match else None
    while node is not None and node.kind == "DILocation":
        file = _file_of_scope(module, node.fields.get("scope", "null"))
        chain.append(SourceLocation(file, node.number("line"), node.number("column")))
        node = module.find_node(node.fields.get("inlinedAt", "null"))
    return chain


def call_chain(module: Module, instruction: Instruction) -> list[tuple[SourceLocation, str]]:
    """The same with the name of the function that each place is in."""
    match = _DBG.search(instruction.metadata)
    node = module.find_node(match[1]) if match else None
    names = []
    while node is not None and node.kind == "DILocation":
        function = _function_around(module, node)
        names.append(function.string("name") if function is not None else "")
        node = module.find_node(node.fields.get("inlinedAt", "null"))
    return list(zip(location_chain(module, instruction), names, strict=True))


def innermost_function(module: Module, instruction: Instruction) -> MetadataNode | None:
    """The function of the source that `instruction` was written in, which may have been inlined since."""
    return next(functions_of_source(module, instruction), None)


def functions_of_source(module: Module, instruction: Instruction) -> Iterator[MetadataNode]:
    """The function of the source that `instruction` was written in, and those that it was inlined into."""
    match = _DBG.search(instruction.metadata)
    location = module.find_node(match[1]) if match else None
    while location is not None:
        if (function := _function_around(module, location)) is not None:
            yield function
        location = module.find_node(location.fields.get("inlinedAt", "null"))


def _function_around(module: Module, node: MetadataNode | None) -> MetadataNode | None:
    """The function that a location or a scope is in."""
    while node is not None and node.kind != "DISubprogram":
        node = module.find_node(node.fields.get("scope", "null"))
    return node


def subprogram_of(module: Module, function: Function) -> Subprogram | None:
    """The source's view of `function`; None without debug information."""
    function = module.made_of.get(function.name, function)
    match = _DBG.search(function.suffix) or _DBG.search(function.prefix)
    node = module.find_node(match[1]) if match else None
    if match is None or node is None or node.kind != "DISubprogram":
        return None
    types = _type_list(module, node)
    variables = _argument_variables(module).get(match[1], {})
    parameters: list[DebugParameter] = []
    for index, reference in enumerate(types[1:]):
        variable = module.find_node(variables.get(index + 1, "null"))
        name = variable.string("name") if variable is not None else ""
        own = debug_type(module, variable.fields.get("type", "null")) if variable is not None else None
        parameters.append(DebugParameter(name, index, debug_type(module, reference), own))
    for number in sorted(variables):
        # Some compilers leave the list of types empty: then the variables are all there is.
        variable = module.find_node(variables[number])
        if number > len(parameters) and variable is not None:
            type_ = debug_type(module, variable.fields.get("type", "null"))
            parameters.append(DebugParameter(variable.string("name"), number - 1, type_, type_))
    result = debug_type(module, types[0]) if types and types[0] != "null" else None
    location = SourceLocation(_file_of_scope(module, match[1]), node.number("line"))
    return Subprogram(node.string("name"), node.string("linkageName"), location, tuple(parameters), result)


def language_of(module: Module, function: Function) -> str:
    """The language a function was compiled from, as DWARF calls it (`C11`, `C_plus_plus_14`, `Fortran95`, `Rust`)."""
    match = _DBG.search(function.suffix) or _DBG.search(function.prefix)
    node = module.find_node(match[1]) if match else None
    unit = module.find_node(node.fields.get("unit", "null")) if node is not None else None
    return "" if unit is None else unit.fields.get("language", "").removeprefix("DW_LANG_")


def is_fortran(module: Module, function: Function) -> bool:
    """Was the function compiled from Fortran?"""
    return language_of(module, function).startswith("Fortran")


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit()


def _kind(node: MetadataNode | None) -> str:
    if node is None:
        return "unknown"
    tag = node.fields.get("tag", "")
    if node.kind == "DIBasicType":
        return "unknown" if tag == "DW_TAG_unspecified_type" else _ENCODINGS.get(node.fields.get("encoding", ""), "int")
    if node.kind == "DISubroutineType":
        return "function"
    if node.kind == "DIStringType":
        return "string"
    if node.kind == "DIDerivedType":
        return "pointer" if tag in _POINTERS else "unknown"
    if node.kind == "DICompositeType":
        return _COMPOSITES.get(tag, "unknown")
    return "unknown"


def _elements(module: Module, node: MetadataNode) -> tuple[str, ...]:
    listed = module.find_node(node.fields.get("elements", "null"))
    return tuple(listed.operands) if listed is not None else ()


def _type_list(module: Module, subprogram: MetadataNode) -> tuple[str, ...]:
    type_ = module.find_node(subprogram.fields.get("type", "null"))
    listed = module.find_node(type_.fields.get("types", "null")) if type_ is not None else None
    return tuple(listed.operands) if listed is not None else ()


def _file_of_scope(module: Module, scope: str) -> str:
    """The file that a lexical scope, or one around it, names."""
    for _ in range(1000):
        node = module.find_node(scope)
        if node is None:
            return ""
        if node.kind == "DIFile":
            return node.string("filename")
        file = module.find_node(node.fields.get("file", "null"))
        if file is not None:
            return file.string("filename")
        scope = node.fields.get("scope", "null")
    return ""


def portable_name(module: Module, file: str) -> str:
    """What a program is to call a file, so that it is the same wherever it was built: from the folder that all sources
    with absolute names (as CMake gives them) have in common, or the bare name of what is not in there."""
    if not file.startswith("/"):
        return file
    root = module.cache.get("root")
    if root is None:
        units = (module.find_node(unit) for unit in module.named_metadata.get("llvm.dbg.cu", ()))
        sources = (module.find_node(unit.fields.get("file", "null")) for unit in units if unit is not None)
        names = {source.string("filename") for source in sources if source is not None}
        folders = [posixpath.dirname(posixpath.normpath(name)) for name in names if name.startswith("/")]
        root = module.cache["root"] = posixpath.commonpath(folders) if folders else ""
    name = posixpath.normpath(file)
    inside = root not in {"", "/"} and name.startswith(f"{root}/")
    return posixpath.relpath(name, str(root)) if inside else posixpath.basename(name)


def source_path(node: MetadataNode) -> Path:
    """The file that a `DIFile` names."""
    return Path(node.string("directory"), node.string("filename"))


def place_of_name(module: Module, name: str) -> SourceLocation | None:
    """Where a source of the module first has a name; for variables, of which line tables tell nothing."""
    word = re.compile(rf"\b{re.escape(name)}\b")
    for line in module.metadata_lines(" = !DIFile("):
        node = parse_node(line.split(" = ", 1)[1])
        try:
            text = source_path(node).read_text(errors="replace")
        except OSError:
            continue
        if (match := word.search(text)) is not None:
            return SourceLocation(node.string("filename"), text.count("\n", 0, match.start()) + 1)
    return None


def _argument_variables(module: Module) -> dict[str, dict[int, str]]:
    """Per subprogram the variables that are its parameters, by number from 1."""
    known = module.cache.get("argument variables")
    if known is not None:
        return cast("dict[str, dict[int, str]]", known)
    found: dict[str, dict[int, str]] = {}
    for line in module.metadata_lines(", arg: "):
        match = _ARGUMENT.match(line)
        if match is None:
            continue
        found.setdefault(match[3], {}).setdefault(int(match[2]), match[1])
    module.cache["argument variables"] = found
    return found

"""The link step, in the process it is called in: bitcode to one object with its derivatives.

    resolve -> merge -> internalise -> optimise (before) -> differentiate -> verify -> optimise (after) -> emit

Every intermediate is text and can be kept (`save_stages`): merged.ll, optimised.ll, derivatives.ll, final.ll.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from enzyme_build.errors import EnzymeBuildError, FindingsError, InputError, ToolError
from enzyme_build.jobs import CHECKPOINT_NEEDLE, REQUEST_NEEDLE, LinkJob, LinkResult, Product
from enzyme_build.records import dataclass
from enzyme_build.regex import regex
from enzyme_build.rounds import Derivatives
from enzyme_build.rules.registrations import LISTED, MARKS
from enzyme_build.toolchain import process
from enzyme_build.toolchain.bitcode import check_producer
from enzyme_build.toolchain.clang import PASSES_SKIPPED
from enzyme_build.toolchain.objects import ObjectFile, Symbols, origins, parse_object, write_archive
from enzyme_build.toolchain.resolve import Resolution, resolve
from enzyme_build.toolchain.runtimes import needed_runtimes
from enzyme_build.toolchain.rust import is_allocator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from enzyme_build.ahead import Ahead
    from enzyme_build.llvm.bodies import Library
    from enzyme_build.llvm.context import Module
    from enzyme_build.llvm.engine import Target

    Differentiator: TypeAlias = Callable[[str, LinkJob], tuple[str, bool]]
    """The module with derivatives instead of requests, and whether requests are left that differentiate derivatives."""


def run_link(job: LinkJob, work: Path, differentiate: Differentiator | None = None) -> LinkResult:
    """The link itself; intermediate texts are left in `work` for whoever looks into a crash."""
    from enzyme_build.ahead import Ahead, refuse_missing
    from enzyme_build.ir.parser import parse_module
    from enzyme_build.llvm import text
    from enzyme_build.llvm.engine import Target, use
    from enzyme_build.llvm.link import merge

    use(job.llvm, asked=job.llvm_asked)
    wanted = {*job.exports, *(["main"] if job.product is Product.EXECUTABLE else [])}
    resolution = resolve(job.inputs, _symbols_by_llvm, frozenset(wanted), job.search)
    if job.product in {Product.EXECUTABLE, Product.SHARED}:
        _refuse_lost_requests(resolution)
    shims = [item for item in resolution.with_bitcode if _is_allocator_shim(item)]
    modules = _modules(job, resolution, shims)
    if not modules:
        refuse_missing(parse_module(""), job, resolution)
        return LinkResult(None)
    ahead = Ahead(merge(modules, first_counts=job.first_counts), job, resolution)
    asked = (REQUEST_NEEDLE in ahead.merged and not job.ahead_if_there) or job.product is Product.NAMED
    if not asked and not ahead.requests:
        return LinkResult(None)
    _refuse_assigned(job, resolution)
    stages = _Stages(work, job.save_stages)
    merged, linkages = _internal(job, resolution, ahead)
    stages.save("merged", merged)
    target = Target(*text.common_target(merged), level=job.optimise)
    optimised = stages.save("optimised", _optimised(merged, target, job))
    derivatives = Derivatives(ahead)
    derived = _derived(optimised, target, job, _explaining(differentiate or derivatives.make, resolution), stages)
    if job.explain:
        return LinkResult(None, plans=tuple(derivatives.plans))
    if job.ahead_if_there and not ahead.made:
        return LinkResult(None)  # all were left out: the object with its bitcode serves better
    derived = text.without_scatters(text.transparent(derived, linkages))
    if shims:
        derived = merge([("the module with derivatives", derived.encode()), *_streams(shims)])
    stages.save("derivatives", derived)
    module = _finished(derived, target, job)
    if ahead.requests:
        module = ahead.described(module, optimised)
    if job.output.suffix == ".ll" or job.save_stages:
        stages.save("final", str(module))
    needed = _write(job, module, target)
    undefined = resolution.undefined | (needed - resolution.defined)
    replaced = _replace_archives(job, resolution.whole_archives | resolution.without_taken(needed))
    return LinkResult(job.output, resolution.consumed, replaced, needed_runtimes(undefined))


def _refuse_lost_requests(resolution: Resolution) -> None:
    """The linker would say that these functions are missing, and not why."""
    for item in resolution.machine_code:
        undefined = item.symbols.undefined - resolution.defined if item.symbols else ()
        if name := min(filter(_REQUEST.search, undefined), default=None):
            by_rustc = item.name.rstrip(")").endswith(_RUST_UNIT)
            raise InputError(
                f"'{item.name}' asks for derivatives (by '{name}'), and is machine code without bitcode",
                hint="compile it with rustc -C linker-plugin-lto (through cargo: in RUSTFLAGS)"
                if by_rustc
                else "compile it with enzyme-cc or enzyme-c++ (what -S writes has none); or if something joined such "
                "objects, let it keep their bitcode (enzyme-ld -r, GNU ld -r)",
                code="E0316",
            )


_RUST_UNIT: Final = ".rcgu.o"
"""The end of the names that rustc gives to its objects."""


_REQUEST: Final = regex(r"__enzyme_(?:autodiff|fwddiff|augment|reverse|fwdsplit|batch)")


def _internal(job: LinkJob, resolution: Resolution, ahead: Ahead) -> tuple[str, dict[str, str]]:
    """The merged module, in which nobody else refers to anything but what has to be kept; and how functions are linked
    that must be called until derivatives are made."""
    from enzyme_build.llvm import text

    merged = _edited(ahead, job, resolution)
    inline = text.inline_definitions(merged)
    kept, secret = _kept(job, resolution, merged) | ahead.functions, _not_exported(job, resolution)
    merged = text.always_emitted(text.drop_unused_personalities(merged), frozenset(job.exports) | ahead.functions)
    merged = text.internalise(merged, kept - (secret - resolution.foreign_symbols))
    merged = text.hide(merged, secret) if secret else merged
    return _keep_calls(text.apart_from_memory(merged, CHECKPOINT_NEEDLE), inline)


def _optimised(merged: str, target: Target, job: LinkJob) -> str:
    """The module as derivatives are made of it."""
    from enzyme_build.llvm import context
    from enzyme_build.llvm.addresses import with_pointers
    from enzyme_build.llvm.inlining import inlined_first
    from enzyme_build.llvm.tail_calls import that_may_return

    module = context.parse_text(merged, "the merged module")
    _prepare(module, target, job)
    for _ in range(_ROUNDS):
        inlining = None if job.ad_before_opt else inlined_first(that_may_return(str(module)))
        if inlining is None:
            break
        module.close()
        module = context.parse_text(inlining, "the module with inlined functions")
        _prepare(module, target, job)
    plain = _plain(str(module))
    module.close()
    return with_pointers(plain)


def _prepare(module: Module, target: Target, job: LinkJob) -> None:
    from enzyme_build.llvm import optimise

    (optimise.baseline_before_differentiation if job.ad_before_opt else optimise.before_differentiation)(module, target)


def _derived(optimised: str, target: Target, job: LinkJob, differentiate: Differentiator, stages: _Stages) -> str:
    """The module with derivatives, also of derivatives."""
    from enzyme_build.llvm import context
    from enzyme_build.llvm.addresses import with_pointers

    derived, more = differentiate(optimised, job)
    while more:
        # Requests that differentiate derivatives: those are code like any other now, to be optimised first.
        stages.save("derivatives_inner", derived)
        module = context.parse_text(derived, "the module with inner derivatives")
        _prepare(module, target, job)
        derived, more = differentiate(with_pointers(_plain(str(module))), job)
        module.close()
    return derived


def _finished(derived: str, target: Target, job: LinkJob) -> Module:
    """The module with derivatives, optimised."""
    from enzyme_build.llvm import context, optimise, text
    from enzyme_build.llvm.places import without_unwanted_debug_data
    from enzyme_build.llvm.tags import with_tags_of_types

    derived = with_tags_of_types(without_unwanted_debug_data(text.allow_unrolling(derived)))
    if job.vector_functions:
        from enzyme_build.llvm.vector_calls import with_vector_versions

        derived = with_vector_versions(derived, job.vector_functions, target.features)
        optimise.allow_ordered_sums()
    if _VARIABLE_NEEDLE not in derived:
        optimise.follow_no_variables()
    module = context.parse_text(derived, "the module with derivatives")
    optimise.after_differentiation(module, target)
    optimise.instrument(module, target, derived)
    return module


def _plain(text: str) -> str:
    """Optimised code with pointers where shadows follow them."""
    from enzyme_build.llvm.address_arguments import with_pointer_arguments
    from enzyme_build.llvm.dangling import with_dangling_pointers
    from enzyme_build.llvm.mixed_results import with_results_in_memory
    from enzyme_build.llvm.relative import with_plain_loads
    from enzyme_build.llvm.tail_calls import that_may_return

    text = with_dangling_pointers(that_may_return(text))
    return with_pointer_arguments(with_results_in_memory(with_plain_loads(text)))


def _modules(job: LinkJob, resolution: Resolution, left_out: Sequence[ObjectFile]) -> list[tuple[str, bytes]]:
    """The bitcode to merge, by name."""
    for item in resolution.with_bitcode:
        for stream in item.bitcode:
            check_producer(item.name, stream)
    modules = _streams(item for item in resolution.with_bitcode if item not in left_out)
    if job.wrapped:
        modules = [(name, _wrapped(name, stream, job.wrapped)) for name, stream in modules]
    return modules + [(f"extra module {index}", extra.encode()) for index, extra in enumerate(job.extra_ir)]


def _edited(ahead: Ahead, job: LinkJob, resolution: Resolution) -> str:
    """The merged module with what only its text can be given before it is optimised."""
    from enzyme_build.fortran.access_tags import without_names
    from enzyme_build.fortran.common_blocks import with_members
    from enzyme_build.llvm import optimise, text
    from enzyme_build.llvm.bodies import with_bodies
    from enzyme_build.llvm.conventions import with_matching_calls
    from enzyme_build.llvm.linkage import set_apart, without_folder
    from enzyme_build.llvm.members import mark_accesses
    from enzyme_build.llvm.other_parameters import with_other_calls_kept
    from enzyme_build.llvm.rust_text import with_copied_text
    from enzyme_build.llvm.strings import without_copies
    from enzyme_build.llvm.struct_marks import mark_structs
    from enzyme_build.llvm.unoptimised import allow_inlining_of_unoptimised, with_skipped_passes
    from enzyme_build.llvm.variadic import with_fixed_arguments
    from enzyme_build.llvm.virtual_calls import with_classes

    merged, asked = ahead.merged, ahead.functions
    if job.fortran_bodies:
        from enzyme_build.fortran.bodies import add_bodies

        merged = add_bodies(merged, job.fortran_bodies)
    if job.libcxx_bodies:
        from enzyme_build.cxx.bodies import add_bodies as add_libcxx_bodies

        merged = add_libcxx_bodies(merged, job.libcxx_bodies, asked)
    merged = with_members(merged)
    merged = with_other_calls_kept(with_matching_calls(merged))
    merged = with_copied_text(with_bodies(merged, _libraries(resolution), asked))
    merged = with_classes(with_fixed_arguments(without_copies(set_apart(merged))))
    if job.product is Product.NAMED or (job.ahead and not job.ahead_if_there):
        merged = without_folder(merged, str(Path.cwd()))
    merged = mark_structs(mark_accesses(without_names(text.signed_shifts(merged))))
    merged = text.inline_growth(allow_inlining_of_unoptimised(merged))
    # Last: such code tells types itself, which says more than marks, and its `noinline` is from the source.
    merged = with_skipped_passes(merged, PASSES_SKIPPED)
    return text.unify_targets(merged, *optimise.host_target(job.target_cpu))


def _write(job: LinkJob, module: Module, target: Target) -> frozenset[str]:
    """Write the product; gives the names that its machine code needs from elsewhere."""
    from enzyme_build.llvm import emit

    needed: frozenset[str] = frozenset()
    _unwrap(module, job.wrapped)
    with process.completed_file(job.output) as temporary:
        match job.output.suffix:
            case ".ll":
                temporary.write_text(str(module))
            case ".bc":
                temporary.write_bytes(emit.emit_bitcode(module))
            case _:
                needed = _undefined_in(machine_code := emit.emit_object(module, target))
                temporary.write_bytes(machine_code)
    return needed


def _refuse_assigned(job: LinkJob, resolution: Resolution) -> None:
    """To the linker an assigned symbol is another function than the body that would be differentiated."""
    for name in job.assigned:
        owner = next((one for one in resolution.with_bitcode if one.symbols and name in one.symbols.defined), None)
        if owner is not None:
            raise InputError(
                f"'--defsym' gives '{name}' another meaning than its definition in '{owner.name}'",
                hint=f"leave out the option, or rename that '{name}'",
            )


def _unwrap(module: Module, names: Sequence[str]) -> None:
    """Call what has no body here by the name that the linker, which wraps the rest of the line, leaves alone."""
    for name in names:
        try:
            function = module.get_function(name)
        except NameError:
            continue
        if function.is_declaration:
            function.name = f"__real_{name}"


def _explaining(differentiate: Differentiator, resolution: Resolution) -> Differentiator:
    """The same, where a function without body is machine code of somebody's compiler: the error names it."""

    def explained(module: str, job: LinkJob) -> tuple[str, bool]:
        try:
            return differentiate(module, job)
        except EnzymeBuildError as error:
            for part in error.findings if isinstance(error, FindingsError) else (error,):
                if part.code in _WITHOUT_BODY:
                    names = re.findall(r"'([^']+)'", part.message)
                    notes = origins(names, resolution.machine_code)
                    part.notes = (*part.notes, *notes)
                    if part.hint and any("gfortran" in note for note in notes):
                        part.hint = part.hint.replace("enzyme-cc", "enzyme-fc")
                    by_compiling = (part.hint or "").startswith("compile")
                    if by_compiling and notes and all("shared library" in note for note in notes):
                        part.hint = _SHARED_REMEDY
                    elif part.code == _NO_DEFINITION and (
                        close := [x for name in names for x in _like(name, resolution)]
                    ):
                        part.hint = f"did you mean '{close[0]}'? Otherwise {part.hint}"
            raise

    return explained


def _like(name: str, resolution: Resolution) -> list[str]:
    """A function of the link whose name is nearly that of one that nobody has, which may be misspelt."""
    import difflib

    if name in resolution.defined:
        return []
    known = {one for item in resolution.with_bitcode if item.symbols for one in item.symbols.defined}
    return difflib.get_close_matches(name, sorted(known - {name}), 1, _CLOSE)


_CLOSE: Final = 0.65
_SHARED_REMEDY: Final = (
    "pass the objects or archive that it was made of, compiled with enzyme-cc, or make it with its derivatives "
    "(-fenzyme-export=NAME); or say __enzyme_inactivefn if no result depends on what the function gets"
)
_NO_DEFINITION: Final = "E0309"
_WITHOUT_BODY: Final = ("E0100", _NO_DEFINITION)
_VARIABLE_NEEDLE: Final = "#dbg_"
"""Begins every record of debug data that says where a variable is."""


def _streams(items: Iterable[ObjectFile]) -> list[tuple[str, bytes]]:
    return [(item.name, stream) for item in items for stream in item.bitcode]


def _libraries(resolution: Resolution) -> list[Library]:
    from enzyme_build.llvm.bodies import Library

    return [
        Library(item.name, item.symbols.defined, stream)
        for item in resolution.machine_code
        for stream in item.aside
        if item.symbols
    ]


def _is_allocator_shim(item: ObjectFile) -> bool:
    """Is it what rustc makes beside each program to choose the allocator? Its functions have to be calls when
    derivatives are made, as those of C's library are: what they do is known, and their bodies would hide it."""
    defined = item.symbols.defined if item.symbols else frozenset()
    return bool(defined) and all(map(is_allocator, defined))


def _undefined_in(machine_code: bytes) -> frozenset[str]:
    found = parse_object("the object with derivatives", machine_code)
    return found.symbols.undefined if found and found.symbols else frozenset()


_ROUNDS: Final = 3
"""Times that functions are inlined (see `llvm.inlining`), and then what calls them."""


def _keep_calls(merged: str, inline: AbstractSet[str]) -> tuple[str, dict[str, str]]:
    """Functions whose users told what their derivatives are must still be called when derivatives are made. `inline`
    are those that several files may have defined."""
    from enzyme_build.analysis.annotations import annotations_of
    from enzyme_build.differentiate.inlined import untold_mark
    from enzyme_build.ir.parser import parse_module
    from enzyme_build.llvm import text
    from enzyme_build.rules.names import CRATE

    if not any(mark in merged for mark in (LISTED, CRATE, "!enzyme_", '"enzyme_', *MARKS)):
        return merged, {}
    merged = text.without_kept_variables(merged, "__enzyme_")
    module = parse_module(merged)
    names = annotations_of(module).kept_as_calls()
    kept = [function for function in module.functions if function.name in names]
    told = annotations_of(module).told_everywhere
    untold = [f for f in kept if f.name not in told]
    marks = {f.name: mark for f in untold if (mark := untold_mark(module, f, inline=f.name in inline))}
    merged = text.with_attributes(merged, marks)
    groups = {group for function in kept for group in re.findall(r"#\d+", function.suffix)}
    return text.opaque(text.without_attribute(merged, groups, "optnone"), names)


def _kept(job: LinkJob, resolution: Resolution, merged: str) -> frozenset[str]:
    """Definitions that something outside the merged module may refer to."""
    from enzyme_build.llvm import text

    kept = {*job.exports, *resolution.foreign_symbols}
    defined, _, exported = text.symbols(merged)
    # What users tell the pass by global variables would look unused, or constant, to LLVM.
    kept |= {name for name in defined if "__enzyme_" in name or name.startswith("enzyme_")}
    match job.product:
        case Product.EXECUTABLE:
            kept.add("main")
        case Product.SHARED:
            kept |= exported
        case Product.RELOCATABLE:
            kept |= defined
        case Product.NAMED:
            pass
    return frozenset(kept)


def _not_exported(job: LinkJob, resolution: Resolution) -> frozenset[str]:
    """Definitions of libraries that nobody outside of the output shall see."""
    names = frozenset[str]()
    for item in resolution.with_bitcode:
        library, _, member = item.name.partition("(")
        if member and job.excluded and ("ALL" in job.excluded or Path(library).name in job.excluded):
            names |= item.symbols.defined if item.symbols else frozenset()
    return names


def _wrapped(name: str, bitcode: bytes, functions: Sequence[str]) -> bytes:
    from enzyme_build.llvm import context, linkage

    module = context.parse_bitcode(bitcode, name)
    printed = str(module)
    module.close()
    changed = linkage.wrapped(printed, functions)
    return bitcode if changed is printed else changed.encode()


def _symbols_by_llvm(found: ObjectFile) -> Symbols:
    from enzyme_build.llvm import context, text

    defined: set[str] = set()
    undefined: set[str] = set()
    weak: set[str] = set()
    common: set[str] = set()
    for stream in found.bitcode:
        check_producer(found.name, stream)
        module = context.parse_bitcode(stream, found.name)
        printed = str(module)
        own_defined, own_undefined, _ = text.symbols(printed)
        defined |= own_defined
        undefined |= own_undefined
        weak |= text.with_linkage(printed, "extern_weak")
        common |= text.with_linkage(printed, "common")
        module.close()
    return Symbols(frozenset(defined), frozenset(undefined - defined), frozenset(weak - defined), frozenset(common))


def _replace_archives(job: LinkJob, archives: Mapping[Path, Sequence[tuple[str, bytes]]]) -> dict[str, str]:
    """Archives of the members that are left of others, beside the output: the rest would come in twice."""
    replaced = {}
    for index, (path, members) in enumerate(archives.items()):
        rest = job.output.with_name(f"{job.output.stem}.{index}.a")
        if members:
            write_archive(rest, members)
        replaced[str(path)] = str(rest) if members else ""
    return replaced


@dataclass
class _Stages:
    """Writes the text of each stage to the work folder, and to the user's folder when asked."""

    work: Path
    wanted: Path | None

    def save(self, name: str, text: str) -> str:
        (self.work / f"{name}.ll").write_text(text)
        if self.wanted:
            try:
                self.wanted.mkdir(parents=True, exist_ok=True)
                (self.wanted / f"{name}.ll").write_text(text)
            except OSError as error:
                raise ToolError(f"cannot write to '{self.wanted}': {error.strerror}") from error
        return text

"""A link as a value, and how it and its outcome travel between the driver's process and the worker's, as JSON."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from enzyme_build import errors
from enzyme_build.demangle import demangled
from enzyme_build.errors import EnzymeBuildError, FindingsError, InternalError, SourceLocation
from enzyme_build.records import dataclass
from enzyme_build.toolchain.resolve import LinkInput, Search
from enzyme_build.toolchain.runtimes import Runtime

if TYPE_CHECKING:
    from enzyme_build.differentiate.report import FunctionPlan

JOB_FILE: Final = "job.json"
RESULT_FILE: Final = "result.json"
"""What stands in the folder of a link."""
REQUEST_NEEDLE: Final = "__enzyme_"
"""Part of the name of every derivative request and registered rule."""
CHECKPOINT_NEEDLE: Final = "enzyme_checkpoint"
"""Part of the names of what is called in checkpointed loops."""


class Product(Enum):
    """What the object is linked into: it decides which definitions others may need."""

    EXECUTABLE = "executable"
    """`main` and what machine-code objects mention."""
    SHARED = "shared"
    """Everything of default visibility."""
    RELOCATABLE = "relocatable"
    """Everything."""
    NAMED = "named"
    """Only `exports`."""


@dataclass(frozen=True)
class LinkJob:
    """A link: what goes in, what others need of it, and how to treat it."""

    inputs: tuple[LinkInput, ...]
    output: Path
    """Written complete or not at all; its ending chooses machine code (`.o`), text (`.ll`) or bitcode (`.bc`)."""
    product: Product = Product.NAMED
    exports: tuple[str, ...] = ()
    """Names to keep besides what `product` keeps."""
    search: Search = Search.LATER
    """How archives are searched."""
    wrapped: tuple[str, ...] = ()
    """Functions that are called by another name (`--wrap`)."""
    assigned: tuple[str, ...] = ()
    """Symbols that options give another meaning (`--defsym`)."""
    first_counts: bool = False
    """Does the first of several definitions of one symbol count (`--allow-multiple-definition`)?"""
    excluded: tuple[str, ...] = ()
    """Libraries whose symbols are not exported (`--exclude-libs`): file names, or ALL."""
    extra_ir: tuple[str, ...] = ()
    """Modules as text, merged with the inputs (wrappers that contain requests)."""
    ahead: tuple[str, ...] = ()
    """Derivatives to be called from other links, as `bindings.exports` reads them."""
    ahead_if_there: bool = False
    """Is nothing done where there is no function that `ahead` means?"""
    fortran_bodies: Path | None = None
    """Bitcode of bodies for flang's runtime functions, for inputs that call them."""
    libcxx_bodies: Path | None = None
    """The same for functions of libc++."""
    explain: bool = False
    """Is nothing wanted but the plans of the derivatives in words? Then nothing is written."""
    llvm: Path | None = None
    """LLVM's shared library, to be used instead of the LLVM inside llvmlite."""
    llvm_asked: bool = False
    """Did the user name it? One that was found may be no good; llvmlite's LLVM works then."""
    optimise: int = 2
    target_cpu: str = ""
    vector_functions: tuple[str, ...] = ()
    """Vector versions of mathematical functions that may be called: `_ZGVdN4v_exp` …"""
    ad_before_opt: bool = False
    loose_types: bool = False
    warnings: tuple[str, ...] = ()
    save_stages: Path | None = None


@dataclass(frozen=True)
class LinkResult:
    """`output` is None when nothing asked for a derivative: then the original link line is right as it stands."""

    output: Path | None
    consumed: tuple[Path, ...] = ()
    """Inputs that are inside the output and must leave the link line."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Archives linked whole, and the archive (empty: nothing) that takes their place."""
    runtimes: frozenset[Runtime] = frozenset()
    """Of languages whose symbols are still undefined."""
    plans: tuple[FunctionPlan, ...] = ()
    """What was decided, in words, where that was asked for."""


def job_to_json(job: LinkJob) -> dict[str, Any]:
    return {
        **{name: getattr(job, name) for name in _PLAIN_FIELDS},
        "inputs": [[str(given.path), given.whole, given.group, given.lazy] for given in job.inputs],
        "search": job.search.value,
        "fortran_bodies": str(job.fortran_bodies) if job.fortran_bodies else None,
        "libcxx_bodies": str(job.libcxx_bodies) if job.libcxx_bodies else None,
        "llvm": str(job.llvm) if job.llvm else None,
        "output": str(job.output),
        "product": job.product.value,
        "save_stages": str(job.save_stages) if job.save_stages else None,
    }


_PLAIN_FIELDS: Final = (
    *(
        "exports",
        "wrapped",
        "assigned",
        "first_counts",
        "excluded",
        "extra_ir",
        "ahead",
        "ahead_if_there",
        "explain",
        "optimise",
        "target_cpu",
        "vector_functions",
        "ad_before_opt",
        "llvm_asked",
        "loose_types",
        "warnings",
    ),
)


def job_from_json(data: dict[str, Any]) -> LinkJob:
    return LinkJob(
        inputs=tuple(LinkInput(Path(path), *rest) for path, *rest in data["inputs"]),
        search=Search(data["search"]),
        output=Path(data["output"]),
        product=Product(data["product"]),
        exports=tuple(data["exports"]),
        extra_ir=tuple(data["extra_ir"]),
        ahead=tuple(data.get("ahead", ())),
        ahead_if_there=data.get("ahead_if_there", False),
        explain=data.get("explain", False),
        wrapped=tuple(data["wrapped"]),
        assigned=tuple(data.get("assigned", ())),
        first_counts=data.get("first_counts", False),
        excluded=tuple(data["excluded"]),
        fortran_bodies=Path(data["fortran_bodies"]) if data.get("fortran_bodies") else None,
        libcxx_bodies=Path(data["libcxx_bodies"]) if data.get("libcxx_bodies") else None,
        llvm=Path(data["llvm"]) if data.get("llvm") else None,
        llvm_asked=data.get("llvm_asked", False),
        optimise=data["optimise"],
        target_cpu=data["target_cpu"],
        vector_functions=tuple(data.get("vector_functions", ())),
        ad_before_opt=data["ad_before_opt"],
        loose_types=data["loose_types"],
        warnings=tuple(data.get("warnings", ())),
        save_stages=Path(data["save_stages"]) if data["save_stages"] else None,
    )


def result_to_json(result: LinkResult) -> dict[str, Any]:
    return {
        "output": str(result.output) if result.output else None,
        "consumed": [str(path) for path in result.consumed],
        "replaced": result.replaced,
        "runtimes": sorted(runtime.value for runtime in result.runtimes),
        **({"plans": _plans_to_json(result.plans)} if result.plans else {}),
    }


def result_from_json(data: dict[str, Any]) -> LinkResult:
    return LinkResult(
        Path(data["output"]) if data["output"] else None,
        tuple(Path(path) for path in data["consumed"]),
        dict(data["replaced"]),
        frozenset(map(Runtime, data["runtimes"])),
        _plans_from_json(data.get("plans", [])),
    )


def _plans_to_json(plans: tuple[FunctionPlan, ...]) -> list[Any]:
    from enzyme_build.differentiate.report import to_json

    return [to_json(plan) for plan in plans]


def _plans_from_json(data: list[dict[str, Any]]) -> tuple[FunctionPlan, ...]:
    if not data:
        return ()
    from enzyme_build.differentiate.report import plan_from_json

    return tuple(map(plan_from_json, data))


def error_to_json(error: EnzymeBuildError) -> dict[str, Any]:
    if isinstance(error, FindingsError):
        return {"findings": [error_to_json(finding) for finding in error.findings]}
    place = error.location
    return {
        "class": type(error).__name__,
        "message": demangled(error.message),
        "location": [place.file, place.line, place.column] if place else None,
        "hint": error.hint and demangled(error.hint),
        "code": error.code,
        "notes": list(error.notes),
    }


def error_from_json(data: dict[str, Any]) -> EnzymeBuildError:
    """The error again, of its own class, as if it had been raised here."""
    if "findings" in data:
        return FindingsError(error_from_json(finding) for finding in data["findings"])
    kind = getattr(errors, data["class"], EnzymeBuildError)
    error: EnzymeBuildError = kind.__new__(kind)
    EnzymeBuildError.__init__(
        error,
        data["message"],
        location=SourceLocation(*data["location"]) if data["location"] else None,
        hint=data["hint"],
        code=data["code"],
        notes=data["notes"],
    )
    if isinstance(error, errors.ToolError):
        error.command, error.stderr, error.returncode = (), "", 1
    return error


def is_our_bug(error: EnzymeBuildError) -> bool:
    """Whether any part of `error` is an internal error: then a reproducer is worth keeping."""
    parts = error.findings if isinstance(error, FindingsError) else (error,)
    return any(isinstance(part, InternalError) for part in parts)

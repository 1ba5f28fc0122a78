"""Derivatives in the module of a link, in rounds: of what users ask for, of those again, and of what is exported.

What a round refuses may be possible with types of adjoints that are noted while the program runs. Functions that a
pattern means to be exported, and of which derivatives cannot be made, are left out with a warning each. Where a unit
that is exported when it is compiled calls others, all of it is left to the link, which has these.
"""

from __future__ import annotations

import sys
from dataclasses import field, replace
from typing import TYPE_CHECKING, Final, cast

from enzyme_build.demangle import demangled
from enzyme_build.errors import EnzymeBuildError, FindingsError, MissingRuleError, NotNotedError
from enzyme_build.jobs import REQUEST_NEEDLE
from enzyme_build.records import dataclass
from enzyme_build.regex import regex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from enzyme_build.ahead import Ahead
    from enzyme_build.differentiate.options import DifferentiationOptions
    from enzyme_build.differentiate.report import FunctionPlan
    from enzyme_build.ir.module import Module
    from enzyme_build.jobs import LinkJob

_REFUSED: Final = regex(r"error: (?:cannot export derivatives of '[^']*': )?")
_ONCE: Final = "[-Wenzyme-hidden-memory]"
"""A warning that is given once for each function that it names."""


@dataclass
class Derivatives:
    """Makes derivatives, in one round or, where those are differentiated, several."""

    ahead: Ahead
    said: list[str] = field(default_factory=list)
    """The warnings so far."""
    plans: list[FunctionPlan] = field(default_factory=list)
    """The plans of what stands in the source."""

    def make(self, optimised: str, job: LinkJob) -> tuple[str, bool]:
        """The module with its derivatives, and whether requests are left that differentiate those."""
        if REQUEST_NEEDLE not in optimised and not self.ahead.requests:
            return optimised, False
        from enzyme_build.differentiate.requests import PLANS
        from enzyme_build.ir.printer import print_module

        warnings: list[str] = []
        try:
            module, more = _differentiated(optimised, self._options(job), warnings)
        except FindingsError:
            left = self._refused_alone(optimised, job)
            lacking = {name: finding for name, finding in left.items() if isinstance(finding, MissingRuleError)}
            if job.ahead_if_there and lacking:
                # Another unit may have it: the object stays as it is, and the link has them all.
                self._say([_left_to_the_link(name, finding) for name, finding in lacking.items()])
                self.ahead.leave_out({request.function for request in self.ahead.requests})
                return optimised, False
            # Build tools give all sources the same options: a source may have nothing to export.
            if not left or not (self.ahead.leave_out(left) or job.ahead_if_there):
                raise
            self._say([_left_out(name, finding) for name, finding in left.items()])
            if not self.ahead.requests:
                return optimised, False
            module, more = _differentiated(optimised, self._options(job), warnings)
        self._say(warnings)
        self.ahead.take(module)
        if not self.plans:  # later rounds differentiate what was made in this one
            self.plans += cast("list[FunctionPlan]", module.cache[PLANS])
        return print_module(module), more

    def _options(self, job: LinkJob) -> DifferentiationOptions:
        from enzyme_build.differentiate.options import DifferentiationOptions

        return DifferentiationOptions(
            loose_types=job.loose_types,
            warnings=job.warnings,
            explain=job.explain,
            exports=self.ahead.requests,
            exported=self.ahead.exported,
        )

    def _refused_alone(self, optimised: str, job: LinkJob) -> dict[str, EnzymeBuildError]:
        """The functions meant by a pattern whose derivatives cannot be exported, each with the first reason: whoever
        exports a whole library wants those of the others."""
        refused: dict[str, EnzymeBuildError] = {}
        if REQUEST_NEEDLE in optimised:  # those are answered first, and it is they that failed
            return refused
        options = self._options(job)
        for name in dict.fromkeys(request.function for request in options.exports if request.by_pattern):
            alone = tuple(request for request in options.exports if request.function == name)
            try:
                _differentiated(optimised, replace(options, exports=alone), [])
            except FindingsError as error:
                refused[name] = error.findings[0]
        return refused

    def _say(self, warnings: Sequence[str]) -> None:
        """Give the warnings that were not given yet."""
        for warning in warnings:
            # In a later round the place is another, where functions were inlined meanwhile.
            message = warning.partition("warning: ")[2] if _ONCE in warning else warning
            if message not in self.said:
                sys.stderr.write(f"{demangled(warning)}\n")
            self.said.append(message)


def _left_to_the_link(function: str, finding: EnzymeBuildError) -> str:
    start = f"warning: left to the link with -fenzyme-export are derivatives of '{function}': "
    return _REFUSED.sub(start, str(finding), count=1).partition("\n")[0]  # there is nothing to mend here


def _left_out(function: str, finding: EnzymeBuildError) -> str:
    return _REFUSED.sub(f"warning: left out are derivatives of '{function}': ", str(finding), count=1)


def _differentiated(optimised: str, options: DifferentiationOptions, warnings: list[str]) -> tuple[Module, bool]:
    """The parsed module with its derivatives, and whether requests are left; `warnings` are those of what was made."""
    from enzyme_build.differentiate.engine import differentiate
    from enzyme_build.differentiate.known_targets import without_targets
    from enzyme_build.differentiate.noted import NOTES_REFUSED, may_be_noted
    from enzyme_build.ir.parser import parse_module

    module = parse_module(optimised)
    try:
        return module, differentiate(module, options, warnings)
    except FindingsError as refused:
        # Calls that nothing fits end the program only where they would be refused: others may reach something. So
        # with types of adjoints that are noted while the program runs: it is slow.
        noted = tuple(filter(may_be_noted, refused.findings))
        options = replace(options, untargeted=without_targets(refused.every), noted=noted)
        if not options.untargeted and not noted:
            raise
        module = parse_module(optimised)
        warnings.clear()
        try:
            return module, differentiate(module, options, warnings)
        except NotNotedError as reason:
            for finding in noted:
                finding.notes = (*finding.notes, reason.why)
            raise refused from None
        except FindingsError as still:
            # What is refused now stands in the way, unless it is the notes that are not wanted.
            told = still.findings and all(finding.code != NOTES_REFUSED for finding in still.findings)
            raise still if told else refused from None

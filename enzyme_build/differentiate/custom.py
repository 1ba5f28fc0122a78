"""Derivatives that users wrote themselves, in the form that the builders use ours.

A registered rule is wrapped in adapters: functions of our signatures (see `signature`) that call the user's. So a call
to a function with a rule is a call like any other for the sweeps around it. `augmented_f` takes f's arguments, each
followed by its shadow where it has one, and returns {tape, result, result's shadow} or what there is of these;
`reverse_f` takes the same arguments, the seed and the tape and returns the adjoints of numbers passed by value;
`tangent_f` takes values and tangents and returns {result, tangent} or the tangent; that of split mode takes the tape
behind them.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from enzyme_build.analysis.annotations import Rule, annotations_of
from enzyme_build.errors import UnsupportedError

from .exported import ExportAdapter
from .rule_adapter import Adapter

if TYPE_CHECKING:
    from enzyme_build.analysis.exported import ExportedFunction
    from enzyme_build.analysis.request import Request

    from .engine import Derived, Engine, SplitDerived


class CustomRules:
    """The rules of one module as derivatives."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.module = engine.module
        self.rules = annotations_of(engine.module).rules

    def split(self, request: Request) -> SplitDerived | None:
        """Both passes by the user's functions; None where the function's own body is to be differentiated."""
        rule = self.rules.get(request.function)
        if rule is not None and rule.exported is not None:
            return self._exported(rule.exported, request).split()
        if rule is not None and request.replayed and rule.split_tangent is not None:
            rule = _replayed(rule, request)
        elif rule is None or not self._has(rule, reverse=True):
            return None
        adapter = Adapter(self.engine, rule, request)
        tangent = rule.split_tangent if request.replayed else None
        used = [(rule.augmented, False), (rule.reverse, False), (tangent, True)]
        usable = all(adapter.usable(function, tangents=tangents) for function, tangents in used if function is not None)
        return adapter.split() if usable else None

    def forward(self, request: Request) -> Derived | None:
        """The tangent function by the user's; None as above."""
        rule = self.rules.get(request.function)
        if rule is not None and rule.exported is not None:
            return self._exported(rule.exported, request).forward()
        if rule is None or not self._has(rule, reverse=False):
            return None
        adapter = Adapter(self.engine, rule, request)
        return adapter.forward() if adapter.usable(rule.tangent, tangents=True) else None

    def _exported(self, found: ExportedFunction | UnsupportedError, request: Request) -> ExportAdapter:
        if isinstance(found, UnsupportedError):
            raise copy(found)  # once for each call that needs it
        return ExportAdapter(self.engine, found, request)

    def _has(self, rule: Rule, *, reverse: bool) -> bool:
        """Is there a rule for the mode? Without one the body must do."""
        if (rule.reverse if reverse else rule.tangent) is not None:
            return True
        if self.module.is_defined(rule.function.name):
            return False
        mode, kind, form = (
            ("reverse", "gradient", "{f, augmented_f, reverse_f}")
            if reverse
            else ("forward", "derivative", "{f, tangent_f}")
        )
        raise UnsupportedError(
            f"'{rule.function.name}' has no rule for {mode} mode, and no body here that could be differentiated",
            hint=f"register one: void *__enzyme_register_{kind}_{rule.function.name}[] = {form};",
            code="E0332",
        )


def _replayed(rule: Rule, request: Request) -> Rule:
    """The rule for passes on one tape, which tangents are computed from: the augmented function belongs to them."""
    augmented = rule.split_augmented or rule.augmented
    if augmented is rule.augmented and rule.reverse is not None:
        return rule
    if not request.unreversed:
        name = rule.function.name
        lacks = "no gradient" if rule.reverse is None else "a gradient with another augmented function"
        raise UnsupportedError(
            f"'{name}' has a registered tangent of split mode and {lacks}: no reverse pass can use its tape",
            hint=f"register both with one augmented function, or make {name}'s gradient without __enzyme_fwdsplit",
            code="E0343",
        )
    return replace(rule, augmented=augmented, reverse=None)

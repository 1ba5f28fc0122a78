"""What `run.py` measured, as a Markdown table and as a plot."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape

COLOURS = ("#d62728", "#1f77b4", "#7f7f7f", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b", "#e377c2", "#17becf", "#bcbd22")
PAPER = ("gmm", "ba", "lstm", "euler.cpp", "rk4.cpp", "brusselator", "fft")
"""The seven programs by which NeurIPS 2020 compares differentiation after optimisation and before; its integrators of
ODEs are a library's templates."""
NAMES = {"adolc": "ADOL-C", "sacado": "Sacado", "jax": "JAX", "torch": "PyTorch", "differences": "differences"}


@dataclass
class Result:
    """One problem; `ratio` is the generated gradient over the primal, memory in kilobytes."""

    name: str
    inputs: int
    primal_ms: float
    hand_ms: float
    generated_ms: float
    error: float
    build_seconds: float
    peak_kb: dict[str, int]
    samples: int
    before_ms: float | None = None
    """The gradient made before optimisation, where it could be made."""
    vector_ms: float | None = None
    """The gradient for this processor, with vector functions (`-march=native -fveclib=libmvec`)."""
    rivals: dict[str, dict[str, float]] = field(default_factory=dict)
    """Milliseconds, number of samples and error of every other tool that could be measured."""

    @property
    def ratio(self) -> float:
        return self.generated_ms / self.primal_ms

    @property
    def tape_kb(self) -> int:
        """Tape and shadows of working memory, to the page: what the gradient takes more than the primal."""
        return max(self.peak_kb["generated"] - self.peak_kb["primal"], 0)

    def ratios(self) -> dict[str, float]:
        """Every gradient over the primal."""
        times = {"generated": self.generated_ms, "by hand": self.hand_ms}
        if self.before_ms:
            times["before optimisation"] = self.before_ms
        if self.vector_ms:
            times["native, libmvec"] = self.vector_ms
        times |= {NAMES[tool]: figures["ms"] for tool, figures in self.rivals.items()}
        return {variant: time / self.primal_ms for variant, time in times.items()}


def short(ratio: float | None) -> str:
    if ratio is None:
        return "-"
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}" if ratio >= 100 else f"{ratio:.1f}"


def geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def columns(results: list[Result]) -> list[str]:
    """The names of the gradients that were measured."""
    order = ["generated", "by hand", "native, libmvec", "before optimisation", *NAMES.values()]
    return [variant for variant in order if any(variant in r.ratios() for r in results)]


def markdown(results: list[Result]) -> str:
    variants = columns(results)
    rows = []
    for r in results:
        ratios = [short(r.ratios().get(variant)) for variant in variants]
        rows.append([r.name, str(r.inputs), f"{r.primal_ms:.4g}", f"**{ratios[0]}**", *ratios[1:], f"{r.error:.1e}"])
    lines = table(["problem", "inputs", "primal ms", *variants, "error"], rows)
    in_c = [r for r in results if "." not in r.name]  # the others are the same again
    lines += ["", *means(in_c, variants), *gain_of_order(results)]
    heads = ["primal", "hand", "generated", *(name for name in NAMES if any(name in r.peak_kb for r in results))]
    memory = [[r.name, *(megabytes(r.peak_kb.get(head)) for head in heads), megabytes(r.tape_kb)] for r in results]
    titles = ["problem", *(NAMES.get(head, "by hand" if head == "hand" else head) for head in heads), "tape"]
    lines += [
        "",
        "Peak memory in MB above the inputs, each in a process of its own. Tape and shadows of working memory are",
    ]
    lines += ["what the generated gradient takes more than the primal:", "", *table(titles, memory)]
    used = [tool for tool in NAMES if any(tool in r.rivals for r in results)]
    errors = [f"{NAMES[tool]} {worst_error(results, tool):.1e}" for tool in used]
    if errors:
        lines += ["", f"Largest error against the gradient by hand: {', '.join(errors)}."]
    return "\n".join(lines)


def means(results: list[Result], variants: list[str]) -> list[str]:
    if not results:
        return []
    over_hand = gain(results, "by hand", turned=True)
    lines = ["Geometric means over the problems in C:", "", f"- generated over by hand {over_hand:.2f}"]
    for variant in variants[2:]:
        count = sum(variant in r.ratios() for r in results)
        of = "" if count == len(results) else f" ({count} of {len(results)} problems)"
        if count:
            lines.append(f"- {variant} over generated {short(gain(results, variant))}{of}")
    return lines


def gain_of_order(results: list[Result]) -> list[str]:
    """How much faster the gradient after optimisation is than before, if all of the paper's programs were measured."""
    chosen = [r for r in results if r.name in PAPER and r.before_ms]
    if len(chosen) < len(PAPER):
        return []
    mean = short(gain(chosen, "before optimisation"))
    return ["", f"Before optimisation over generated, geometric mean of {', '.join(PAPER)}: {mean}"]


def worst_error(results: list[Result], tool: str) -> float:
    return max(r.rivals[tool]["error"] for r in results if tool in r.rivals)


def megabytes(kilobytes: float | None) -> str:
    return "-" if kilobytes is None else f"{kilobytes / 1024:.2f}"


def gain(results: list[Result], variant: str, *, turned: bool = False) -> float:
    both = [(r.ratios()[variant], r.ratio) for r in results if variant in r.ratios()]
    return geometric_mean([ours / other if turned else other / ours for other, ours in both])


def plot(results: list[Result]) -> str:
    """A row for each problem with a dot for each gradient, time over the primal on a logarithmic axis (SVG)."""
    variants, left, right, step, top = columns(results), 110, 860, 26, 60
    largest = max(max(r.ratios().values()) for r in results)
    decades = math.ceil(math.log10(largest))
    start = math.floor(math.log10(min(min(r.ratios().values()) for r in results)))

    def across(ratio: float) -> float:
        return left + (math.log10(ratio) - start) / (decades - start) * (right - left)

    height = top + step * len(results) + 30
    size = f'width="{right + 30}" height="{height}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="12">']
    parts.append(f'<rect {size} fill="white"/>')
    for number, variant in enumerate(variants):
        x, y = left + number % 5 * 150, 18 + number // 5 * 18
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{COLOURS[number]}"/>')
        parts.append(f'<text x="{x + 8}" y="{y}">{escape(variant)}</text>')
    for power in range(start, decades + 1):
        x = across(10.0**power)
        parts.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 12}" y2="{height - 24}" stroke="#ccc"/>')
        parts.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{10.0**power:g}</text>')
    for row, r in enumerate(results):
        y = top + step * row
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{escape(r.name)}</text>')
        parts.append(f'<line x1="{left}" x2="{right}" y1="{y}" y2="{y}" stroke="#eee"/>')
        for variant, ratio in reversed(r.ratios().items()):
            colour = COLOURS[variants.index(variant)]
            title = escape(f"{r.name}, {variant}: {short(ratio)}")
            dot = f'<circle cx="{across(ratio):.1f}" cy="{y}" r="5" fill="{colour}"><title>{title}</title></circle>'
            parts.append(dot)
    return "\n".join([*parts, "</svg>"]) + "\n"

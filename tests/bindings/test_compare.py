"""Comparing derivatives: right ones agree, wrong ones are seen."""

from __future__ import annotations

import json
import shutil
import subprocess  # noqa: TID251 - compiling, and the comparison as a process
import sys
from pathlib import Path

import pytest

import enzyme_build
from enzyme_build.bindings.compare import Row, run, to_json
from enzyme_build.commands.check import Point, make_trials, verdict
from enzyme_build.errors import ConfigError

from .functions import energy_interface, step_interface

pytestmark = pytest.mark.compile
HERE = Path(__file__).parent
POINT = Point({}, 0.5, 1.5, trials=2, seed=0)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    clang = shutil.which("clang-22") or shutil.which("clang")
    if clang is None:
        pytest.skip("no clang was found")
    made = tmp_path_factory.mktemp("compare") / "hand.so"
    source = (HERE / "hand_written.c").read_text()
    # The same with a mistake in reverse mode.
    wrong = source.replace("enzyme_build_energy_vjp", "wrong_vjp").replace("x_bar[i] += k", "x_bar[i] += 2 * k")
    part = wrong[wrong.index("double wrong_vjp") : wrong.index("double enzyme_build_energy_jvp")]
    (made.parent / "hand.c").write_text("#define _POSIX_C_SOURCE 200809L\n" + source + part)
    subprocess.run([clang, "-O1", "-shared", "-fPIC", "hand.c", "-o", str(made), "-lm"], cwd=made.parent, check=True)
    return made


@pytest.mark.parametrize("make", [energy_interface, step_interface])
def test_right_derivatives_agree(library, make):
    interface = make()
    name = f"enzyme_build_{interface.name}"
    trials = make_trials(interface, library, f"{name}_vjp", f"{name}_jvp", POINT)
    rows = [row for trial in run(trials) for row in trial]
    assert [row.argument for row in rows] == [*interface.wrt, *interface.wrt]
    for row in rows:
        assert row.forward == pytest.approx(row.reverse, rel=1e-12, abs=1e-13)
        assert row.differences == pytest.approx(row.forward, rel=1e-9)
        assert row.uncertainty < 1e-8
        assert not verdict(interface, row, None)


def test_a_mistake_in_reverse_mode_is_seen(library):
    interface = energy_interface()
    trials = make_trials(interface, library, "wrong_vjp", "enzyme_build_energy_jvp", POINT)
    verdicts = {row.argument: verdict(interface, row, None) for row in run(trials)[0]}
    assert verdicts == {"x": "reverse mode disagrees", "k": ""}


def test_as_a_process(library, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(enzyme_build.__file__).parents[1]))
    interface = energy_interface()
    trials = make_trials(interface, library, "enzyme_build_energy_vjp", "enzyme_build_energy_jvp", POINT)
    files = [tmp_path / "trials.json", tmp_path / "rows.json"]
    files[0].write_text(to_json(trials))
    subprocess.run([sys.executable, "-m", "enzyme_build.bindings.compare", *files], check=True)
    assert [[Row(**row) for row in rows] for rows in json.loads(files[1].read_text())] == run(trials)


def test_given_values_and_lengths(library):
    point = Point({"n": 4, "k": 2.5}, 0.5, 1.5, trials=1, seed=0)
    (trial,) = make_trials(energy_interface(), library, "", "", point)
    assert {a.name: (a.count, a.values) for a in trial.arguments} == {
        "x": (4, None),
        "n": (1, [4.0]),
        "k": (1, [2.5]),
    }
    with pytest.raises(ConfigError, match="no argument and no length 'm'"):
        make_trials(energy_interface(), library, "", "", Point({"m": 1}, 0, 1, 1, 0))

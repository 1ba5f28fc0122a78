"""Links that were done before: when their result is used again, when not, and that nothing in the way does harm."""

from __future__ import annotations

import os
import shutil
import subprocess  # noqa: TID251
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import enzyme_build
from enzyme_build.cache import LinkCache
from enzyme_build.jobs import LinkJob, LinkResult
from enzyme_build.settings import from_environment
from enzyme_build.toolchain.resolve import LinkInput
from enzyme_build.toolchain.runtimes import Runtime

PACKAGE = Path(enzyme_build.__file__).parent
DRIVER = [sys.executable, "-m", "enzyme_build.drivers"]
PROGRAM = """
#include <stdio.h>
double __enzyme_autodiff(void *, ...);
double cube(double x) { return FACTOR * x * x * x; }
int main(void) { printf("%g\\n", __enzyme_autodiff((void *)cube, 2.0)); }
"""
DONE_BEFORE = "was done before"


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENZYME_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("ENZYME_VERBOSE", "1")
    monkeypatch.setenv("PYTHONPATH", str(PACKAGE.parent))
    monkeypatch.delenv("ENZYME_CACHE_SIZE", raising=False)


def built(folder: Path, *words: str, factor: int = 3, kind: str = "c") -> tuple[bool, bytes]:
    """Build the program in `folder`: was its link done before, and what came out?"""
    folder.mkdir(exist_ok=True)
    (folder / "cube.c").write_text(PROGRAM)
    command = [*DRIVER, kind, "-O1", f"-DFACTOR={factor}", *words, "cube.c", "-o", "cube"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    value = subprocess.run([folder / "cube"], capture_output=True, text=True, check=True).stdout
    assert float(value) == 12 * factor
    return DONE_BEFORE in done.stderr, (folder / "cube").read_bytes()


@pytest.mark.compile
def test_the_same_link_elsewhere_is_found_and_other_ones_are_not(tmp_path, monkeypatch):
    found, program = built(tmp_path / "one")
    assert not found
    assert built(tmp_path / "two") == (True, program)
    assert built(tmp_path / "one", factor=4)[0] is False
    assert built(tmp_path / "one", "-O2")[0] is False
    assert built(tmp_path / "one", "-march=x86-64-v3")[0] is False
    assert built(tmp_path / "one", "-fenzyme-ad-before-opt")[0] is False
    monkeypatch.setenv("ENZYME_SAVE_STAGES", str(tmp_path / "stages"))
    assert built(tmp_path / "one")[0] is False
    assert (tmp_path / "stages" / "final.ll").exists()
    monkeypatch.delenv("ENZYME_SAVE_STAGES")
    monkeypatch.setenv("ENZYME_CACHE_SIZE", "0")
    assert built(tmp_path / "one")[0] is False


@pytest.mark.compile
def test_another_front_door_finds_what_the_first_one_made(tmp_path):
    (tmp_path / "f.c").write_text("double f(double x) { return x * x; }\n")

    def gradient(*words: str) -> str:
        command = [sys.executable, "-m", "enzyme_build", "gradient", *words, "--function", "f"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert DONE_BEFORE not in gradient("f.c", "-o", "f_grad.o")
    assert DONE_BEFORE in gradient("f.c", "-o", "again.a")
    assert DONE_BEFORE not in gradient("f.c", "-o", "f_grad.ll")


@pytest.mark.compile
def test_ccache_before_the_driver(tmp_path, monkeypatch):
    ccache = shutil.which("ccache") or pytest.skip("ccache is not installed")
    monkeypatch.setenv("CCACHE_DIR", str(tmp_path / "ccache"))
    monkeypatch.delenv("ENZYME_VERBOSE")
    driver = tmp_path / "enzyme-cc"
    driver.write_text(f'#!/bin/sh\nexec {" ".join(DRIVER)} c "$@"\n')
    driver.chmod(0o755)
    (tmp_path / "cube.c").write_text(PROGRAM)
    for _ in range(2):
        compile_ = [ccache, str(driver), "-O1", "-DFACTOR=3", "-c", "cube.c", "-o", "cube.o"]
        subprocess.run(compile_, cwd=tmp_path, check=True)
        subprocess.run([ccache, str(driver), "cube.o", "-o", "cube"], cwd=tmp_path, check=True)
        assert subprocess.run([tmp_path / "cube"], capture_output=True, text=True, check=True).stdout == "36\n"
        (tmp_path / "cube.o").unlink()
    counted = subprocess.run([ccache, "--print-stats"], capture_output=True, text=True, check=True).stdout
    numbers = dict(line.split("\t") for line in counted.splitlines())
    assert int(numbers["direct_cache_hit"]) + int(numbers["preprocessed_cache_hit"]) == 1


@pytest.mark.compile
def test_the_command_shows_and_clears(tmp_path):
    def said(*words: str) -> str:
        command = [sys.executable, "-m", "enzyme_build", "cache", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    for name in ("one", "two"):
        built(tmp_path / name)
    assert str(tmp_path / "cache") in said()
    assert "links    1, 0.0 MiB of 2,048.0 MiB\nused     1 times; 1 links were new\n" in said()
    assert said("--clear").startswith("1 links removed")
    assert "links    0," in said()
    assert built(tmp_path / "one")[0] is False


def test_a_size_that_is_none_is_an_error(monkeypatch):
    monkeypatch.setenv("ENZYME_CACHE_SIZE", "much")
    command = [*DRIVER, "c", "-c", "none.c"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (1, "error: ENZYME_CACHE_SIZE is no size: 'much'")


@pytest.mark.parametrize(
    ("text", "size"), [("0", 0), ("300", 300), ("500M", 500 << 20), ("1.5 GiB", 3 << 29), ("2g", 2 << 30)]
)
def test_sizes(text, size):
    assert from_environment({"ENZYME_CACHE_SIZE": text}).cache_size == size


# The cache itself, with results that nobody linked.


@pytest.fixture
def cache() -> LinkCache:
    return LinkCache(from_environment())


def job(folder: Path, content: bytes = b"input", **options: object) -> LinkJob:
    folder.mkdir(exist_ok=True)
    (folder / "a.o").write_bytes(content)
    return LinkJob((LinkInput(folder / "a.o"),), folder / "out.o", **options)


def keep(cache: LinkCache, one: LinkJob, text: bytes = b"object", stderr: str = "") -> str:
    key = cache.key(one)
    assert key
    one.output.write_bytes(text)
    cache.keep(key, one, LinkResult(one.output, (one.inputs[0].path,), {}, frozenset({Runtime.FORTRAN})), stderr)
    one.output.unlink()
    return key


def test_what_is_found_is_written_where_it_is_wanted(cache, tmp_path, capsys):
    key = keep(cache, job(tmp_path / "one"), stderr="warning: rounding\n")
    other = job(tmp_path / "two")
    assert cache.key(other) == key
    found = cache.find(key, other)
    assert found == LinkResult(other.output, (other.inputs[0].path,), {}, frozenset({Runtime.FORTRAN}))
    assert other.output.read_bytes() == b"object"
    assert capsys.readouterr().err == "warning: rounding\n"


def test_archives_that_take_the_place_of_others_come_back(cache, tmp_path):
    one, other = job(tmp_path / "one"), job(tmp_path / "two")
    rest = one.output.with_name("out.0.a")
    rest.write_bytes(b"archive")
    one.output.write_bytes(b"object")
    cache.keep("key", one, LinkResult(one.output, (), {str(one.inputs[0].path): str(rest)}), "")
    found = cache.find("key", other)
    assert found
    assert found.replaced == {str(other.inputs[0].path): str(other.output.with_name("out.0.a"))}
    assert other.output.with_name("out.0.a").read_bytes() == b"archive"


def test_nothing_to_differentiate_is_a_result_too(cache, tmp_path):
    one = job(tmp_path / "one")
    cache.keep("key", one, LinkResult(None), "")
    assert cache.find("key", one) == LinkResult(None)
    assert not one.output.exists()


def test_what_a_link_depends_on(cache, tmp_path):
    first = cache.key(job(tmp_path / "one"))
    assert cache.key(job(tmp_path / "two")) == first
    one = job(tmp_path / "one")
    path = one.inputs[0].path
    keys = {
        first,
        cache.key(job(tmp_path / "one", b"other")),
        cache.key(job(tmp_path / "two", exports=("f",))),
        cache.key(job(tmp_path / "two", extra_ir=("; text",))),
        cache.key(job(tmp_path / "two", target_cpu="native")),
        cache.key(replace(job(tmp_path / "one"), inputs=(LinkInput(path), LinkInput(path)))),
        cache.key(replace(job(tmp_path / "one"), inputs=(LinkInput(path, whole=True),))),
        cache.key(replace(job(tmp_path / "one"), output=path.with_suffix(".ll"))),
    }
    assert None not in keys
    assert len(keys) == 8


def test_versions_of_llvm_and_of_us_count(cache, tmp_path, monkeypatch):
    one = job(tmp_path / "one")
    keys = [cache.key(one)]
    monkeypatch.setattr("enzyme_build.cache.version", lambda name: f"another {name}")
    keys.append(cache.key(one))
    monkeypatch.setattr("enzyme_build.cache._own_files", lambda: [b"another program"])
    keys.append(cache.key(one))
    assert len({*keys} - {None}) == 3


def test_members_of_thin_archives_count(cache, tmp_path):
    one = job(tmp_path / "one")
    archive = tmp_path / "one" / "thin.a"
    subprocess.run(["ar", "rcsT", archive, one.inputs[0].path], check=True)
    thin = replace(one, inputs=(LinkInput(archive),))
    before = cache.key(thin)
    (tmp_path / "one" / "a.o").write_bytes(b"INPUT")
    assert cache.key(thin) not in {before, None}


def test_damaged_entries_are_forgotten(cache, tmp_path):
    one = job(tmp_path / "one")
    key = keep(cache, one, b"object" * 100)
    entry = next(cache.folder.glob("*.zip"))
    whole = entry.read_bytes()
    for damaged in (b"", whole[:40], whole.replace(b"FORTRAN", b"FORTRAM"), whole[:60] + b"\0" * 8 + whole[68:]):
        entry.write_bytes(damaged)
        if damaged != whole:
            assert cache.find(key, one) is None
            assert not one.output.exists()
            assert not entry.exists()
        keep(cache, one, b"object" * 100)
        assert cache.find(key, one)
        one.output.unlink()


def test_the_limit_is_kept_and_the_last_used_stay(tmp_path, monkeypatch):
    noise = [os.urandom(3000) for _ in range(6)]
    monkeypatch.setenv("ENZYME_CACHE_SIZE", "15K")
    cache = LinkCache(from_environment())
    jobs = [job(tmp_path / str(i), str(i).encode()) for i in range(6)]
    now = time.time()
    for i in range(4):
        os.utime(cache.folder / f"{keep(cache, jobs[i], noise[i])}.zip", (now - 100 + i, now - 100 + i))
    assert cache.find(cache.key(jobs[0]), jobs[0])  # used: younger than the others now
    keep(cache, jobs[4], noise[4])
    assert cache.kept().size <= cache.limit
    there = [cache.find(cache.key(one), one) is not None for one in jobs]
    assert there[0]
    assert there[4]
    assert not there[1]


def test_what_killed_builds_left_is_removed_in_time(cache, tmp_path):
    keep(cache, job(tmp_path / "one"))
    for name, age in (("old", 7200), ("young", 60)):
        file = cache.folder / f"{name}.unfinished"
        file.write_bytes(b"half")
        os.utime(file, (time.time() - age, time.time() - age))
    keep(cache, job(tmp_path / "two", b"other"))
    assert [path.stem for path in cache.folder.glob("*.unfinished")] == ["young"]
    assert cache.kept().entries == 2


def test_many_at_once(cache, tmp_path):
    def one(number: int) -> bool:
        mine = job(tmp_path / f"f{number}", str(number % 3).encode())
        key = cache.key(mine)
        text = str(number % 3).encode() * 5000
        result = cache.find(key, mine)
        if result is None:
            keep(cache, mine, text)
            return True
        return mine.output.read_bytes() == text

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(60)))
    assert cache.kept().entries == 3


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("ENZYME_CACHE_DIR", str(tmp_path / "file"))
    cache = LinkCache(from_environment())
    one = job(tmp_path / "one")
    key = keep(cache, one)
    assert cache.find(key, one) is None
    assert cache.kept().entries == 0
    assert cache.clear() == 0

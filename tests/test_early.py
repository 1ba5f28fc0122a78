"""The worker that starts before its job is known."""

import os
import subprocess  # noqa: TID251 - the tests start the drivers as a user does
import sys
from pathlib import Path

import pytest

from enzyme_build import early, worker
from enzyme_build.jobs import RESULT_FILE

SOURCE = """
double f(double x) { return x * x; }
double __enzyme_fwddiff(double (*)(double), double, double);
int main(void) { return __enzyme_fwddiff(f, 3, 1) != 6; }
"""


@pytest.fixture(autouse=True)
def none_left():
    yield
    assert early.waiting() is None
    early.end()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_it_starts_where_a_file_asks_for_derivatives(tmp_path):
    (tmp_path / "asks.c").write_text(SOURCE)
    (tmp_path / "plain.c").write_text("int main(void) { return 0; }\n")
    early.start_for(["-O2", str(tmp_path / "plain.c"), "-o", str(tmp_path), "@none", "none.c", "-I__enzyme_"])
    assert early.waiting() is None
    early.start_for(["-O2", str(tmp_path / "plain.c"), str(tmp_path / "asks.c")])
    worker = early.waiting()
    assert worker is not None
    assert worker.run("") == (0, "")  # there is no job after all


def test_it_does_the_job_that_it_is_told(tmp_path):
    worker = early.Worker()
    job = tmp_path / "job.json"
    job.write_text("{}")
    code, said = worker.run(str(job))
    assert code == 1
    assert "KeyError" in said  # an empty job lacks all that a job has
    assert not (tmp_path / RESULT_FILE).exists()


def test_a_job_does_not_wait_until_all_is_ready(monkeypatch):
    reads, writes = os.pipe()
    steps = []

    def preparations():
        for step in range(5):
            if step == 2:
                os.write(writes, b"job.json\n")
            steps.append(step)
            yield

    monkeypatch.setattr(worker, "_preparations", preparations)
    with os.fdopen(reads) as told, os.fdopen(writes, "w"):
        monkeypatch.setattr(sys, "stdin", told)
        assert worker._awaited() == "job.json\n"
    assert steps == [0, 1, 2]


def test_all_that_is_made_ready_can_be():
    code = "from enzyme_build import worker; print(sum(1 for _ in worker._preparations()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 400


def test_one_that_ended_before_is_told_by_its_signal():
    worker = early.Worker()
    os.kill(worker.pid, 9)
    assert worker.run("job.json")[0] == -9


def test_one_without_a_job_is_dismissed(tmp_path):
    (tmp_path / "asks.c").write_text(SOURCE)
    early.start_for([str(tmp_path / "asks.c")])
    (pid,) = (worker.pid for worker in early._waiting)
    early.dismiss()
    assert ended(pid)
    early.dismiss()  # none is left


def ended(pid: int) -> bool:
    """Is there no such process any more, or nobody who asks for its end?"""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("ending", ["pass", "import os; os.execv('/bin/true', ['true'])", "1 / 0"])
def test_it_ends_with_its_driver(tmp_path, ending):
    """As one that is told of an error in the source, or becomes the linker."""
    code = f"from enzyme_build import early; w = early.Worker(); print(w.pid, flush=True); {ending}"
    started = [sys.executable, "-c", code]
    done = subprocess.run(started, capture_output=True, text=True, check=False)
    pid = int(done.stdout)
    for _ in range(300):
        if ended(pid):
            break
        subprocess.run(["sleep", "0.1"], check=True)
    assert ended(pid)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_drivers_link_with_it(tmp_path, monkeypatch, level):
    monkeypatch.setenv("ENZYME_CACHE_SIZE", "0")
    source = tmp_path / "asks.c"
    source.write_text(SOURCE)
    code = "import sys; from enzyme_build.drivers import cc; cc()"
    command = [sys.executable, "-c", code, level, str(source), "-o", str(tmp_path / "asks")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run([str(tmp_path / "asks")], check=False).returncode == 0


def test_errors_of_links_are_the_drivers(tmp_path):
    source = tmp_path / "asks.c"
    source.write_text(
        SOURCE.replace("x * x", "unknown(x)").replace("\ndouble f", "\ndouble unknown(double);\ndouble f")
    )
    code = "import sys; from enzyme_build.drivers import cc; cc()"
    command = [sys.executable, "-c", code, str(source), "-o", str(tmp_path / "asks")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "asks.c:" in done.stderr
    assert "[E0100]" in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["--version", "asks.c -o asks"])
def test_streams_may_be_closed(tmp_path, closed, words):
    (tmp_path / "asks.c").write_text(SOURCE)
    code = "from enzyme_build.drivers import cc; cc()"
    line = f"{sys.executable} -c '{code}' {words} {closed}"
    done = subprocess.run(["sh", "-c", line], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "asks").exists() is ("asks" in words)

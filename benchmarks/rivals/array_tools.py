"""Times one problem under JAX (jit) or PyTorch (eager), one thread, doubles; one JSON line.

Usage: python array_tools.py jax|torch NAME FOLDER SECONDS, where FOLDER has what `driver dump FOLDER` wrote. Exit code
3: the problem has no array form for this tool, or the tool is not installed.
"""

from __future__ import annotations

import json
import os  # read and set before the tools are loaded, which look at it then
import resource
import statistics
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import arrays
import numpy as np

NOT_THERE = 3
LOOPS_OF_TENS_OF_THOUSANDS = {"euler", "rk4"}  # minutes in eager mode


def jax_gradient(name, x, constants):
    os.environ["JAX_ENABLE_X64"] = "1"  # noqa: TID251
    import jax
    import jax.numpy as jnp

    tool = SimpleNamespace(
        array=jnp.asarray,
        logsumexp=jax.nn.logsumexp,
        border=partial(jnp.pad, pad_width=1),
        scan=jax.lax.scan,
        solve_lower=partial(jax.scipy.linalg.solve_triangular, lower=True),
    )
    if name == "ba":
        jacobian = jax.jit(jax.vmap(jax.jacrev(partial(arrays.ba, jnp))))
        point, feature = jnp.asarray(x.reshape(-1, 15)), jnp.asarray(constants.reshape(-1, 2))
        return lambda: np.asarray(jacobian(point, feature).block_until_ready())
    gradient, point = jax.jit(jax.grad(getattr(arrays, name)(jnp, tool, constants))), jnp.asarray(x)
    return lambda: np.asarray(gradient(point).block_until_ready())


def torch_gradient(name, x, constants):
    import torch

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    def scan(step, carry, rows):
        outputs = []
        for row in rows:
            carry, output = step(carry, row)
            outputs.append(output)
        return carry, torch.stack(outputs) if torch.is_tensor(output) else outputs

    tool = SimpleNamespace(
        array=torch.tensor,
        logsumexp=torch.logsumexp,
        border=partial(torch.nn.functional.pad, pad=(1, 1, 1, 1)),
        scan=scan,
        solve_lower=lambda factor, b: torch.linalg.solve_triangular(factor, b[:, None], upper=False)[:, 0],
    )
    if name == "ba":
        jacobian = torch.func.vmap(torch.func.jacrev(partial(arrays.ba, torch)))
        point, feature = torch.tensor(x.reshape(-1, 15)), torch.tensor(constants.reshape(-1, 2))
        return lambda: jacobian(point, feature).numpy()
    objective, point = getattr(arrays, name)(torch, tool, constants), torch.tensor(x, requires_grad=True)

    def gradient():
        return torch.autograd.grad(objective(point), point)[0].numpy()

    return gradient


def measure(call, seconds):
    """CPU milliseconds of calls, for so many seconds in all."""
    call()
    taken = []
    while len(taken) == 0 or (sum(taken) < seconds and len(taken) < 200):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return [1e3 * t for t in taken]


def main() -> int:
    tool, name, folder, seconds = sys.argv[1:]
    # Threads that wait cost processor time, and not all that these tools start can be had from options.
    os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])
    x, constants, wanted = (np.fromfile(Path(folder) / part) for part in ("x", "constants", "gradient"))
    if not hasattr(arrays, name) or (tool == "torch" and name in LOOPS_OF_TENS_OF_THOUSANDS):
        return NOT_THERE
    try:
        call = {"jax": jax_gradient, "torch": torch_gradient}[tool](name, x, constants)
    except ImportError as error:
        print(error, file=sys.stderr)
        return NOT_THERE
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    error = np.max(np.abs(call().ravel() - wanted)) / np.max(np.abs(wanted))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    taken = measure(call, float(seconds))
    figures = {"ms": statistics.median(taken), "samples": len(taken), "error": error, "peak_kb": peak}
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())

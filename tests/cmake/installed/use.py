"""What a module of the chain of springs gives, in whichever way it was built."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, sys.argv[1])
core = __import__(sys.argv[2], fromlist=["energy"])
x = np.array([0.0, 2.0, 3.0])
value, (x_bar, k_bar) = core.energy_grad(x, 3.0)
assert (value, k_bar) == (1.5, 0.5)
assert x_bar.tolist() == [-3, 3, 0]
assert core.energy_jvp(x, 3.0, k_dot=2.0) == (1.5, 1.0)
assert "def energy_grad(" in Path(core.__file__).with_name("_core.pyi").read_text()
print(Path(core.__file__).name)

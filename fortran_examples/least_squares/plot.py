"""The measurements, and the two exponentials that were found.

Usage: python plot.py FILE.csv PLOT.png
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

with Path(sys.argv[1]).open() as file:
    rows = list(csv.DictReader(file))
column = {name: [float(row[name]) for row in rows] for name in rows[0]}

plt.semilogy(column["t"], column["measured"], ".", label="measured")
for name in ("slow", "fast"):
    plt.semilogy(column["t"], column[name], label=name)
both = [a + b for a, b in zip(column["slow"], column["fast"], strict=True)]
plt.semilogy(column["t"], both, "--", label="both")
plt.ylim(1e-3, None)
plt.xlabel("t")
plt.legend()
plt.savefig(sys.argv[2], dpi=120)

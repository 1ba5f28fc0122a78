"""The chain as it hangs.

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

plt.plot(column["x"], column["y"], "o-", label="chain")
plt.axis("equal")
plt.legend()
plt.savefig(sys.argv[2], dpi=120)

"""Energies along the simulation.

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

for name in ("potential", "kinetic", "total"):
    plt.plot(column["t"], column[name], label=name)
plt.xlabel("time")
plt.legend()
plt.savefig(sys.argv[2], dpi=120)

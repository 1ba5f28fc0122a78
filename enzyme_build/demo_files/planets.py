# ruff: noqa: INP001
# mypy: ignore-errors
"""The Sun and the planets at noon of 1 January 2000: masses, positions and velocities.

The orbital elements are NASA JPL's (https://ssd.jpl.nasa.gov/planets/approx_pos.html, table 1), the masses those of the
ephemeris DE405. Earth stands for Earth and Moon together.
"""

from __future__ import annotations

import numpy as np

# fmt: off
ELEMENTS = {
    #           a [AU]        e           inclination  mean long.    perihelion    node         Sun's mass / mass
    "Mercury": (0.38709927,   0.20563593, 7.00497902,  252.25032350, 77.45779628,  48.33076593,  6023600.0),
    "Venus":   (0.72333566,   0.00677672, 3.39467605,  181.97909950, 131.60246718, 76.67984255,  408523.71),
    "Earth":   (1.00000261,   0.01671123, -0.00001531, 100.46457166, 102.93768193, 0.0,          328900.56),
    "Mars":    (1.52371034,   0.09339410, 1.84969142,  -4.55343205,  -23.94362959, 49.55953891,  3098708.0),
    "Jupiter": (5.20288700,   0.04838624, 1.30439695,  34.39644051,  14.72847983,  100.47390909, 1047.3486),
    "Saturn":  (9.53667594,   0.05386179, 2.48599187,  49.95424423,  92.59887831,  113.66242448, 3497.898),
    "Uranus":  (19.18916464,  0.04725744, 0.77263783,  313.23810451, 170.95427630, 74.01692503,  22902.98),
    "Neptune": (30.06992276,  0.00859048, 1.77004347,  -55.12002969, 44.96476227,  131.78422574, 19412.24),
}
# fmt: on
NAMES = ("Sun", *ELEMENTS)
GAUSS = 0.01720209895
"""Square root of the constant of gravity in AU, days and solar masses."""


def solar_system() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions [9, 3], velocities [9, 3] and masses [9], with the common centre of mass at rest in the origin."""
    mass = np.array([1.0, *(1.0 / row[6] for row in ELEMENTS.values())])
    states = [_state(row, m) for row, m in zip(ELEMENTS.values(), mass[1:], strict=True)]
    x = np.array([np.zeros(3), *(position for position, _ in states)])
    v = np.array([np.zeros(3), *(velocity for _, velocity in states)])
    return x - mass @ x / mass.sum(), v - mass @ v / mass.sum(), mass


def _state(row: tuple[float, ...], mass: float) -> tuple[np.ndarray, np.ndarray]:
    """Position and velocity relative to the Sun, in the ecliptic."""
    a, e = row[:2]
    inclination, longitude, perihelion, node = np.radians(row[2:6])
    mean = longitude - perihelion
    anomaly = mean
    for _ in range(20):  # Kepler's equation
        anomaly -= (anomaly - e * np.sin(anomaly) - mean) / (1.0 - e * np.cos(anomaly))
    flat = np.sqrt(1.0 - e * e)
    rate = GAUSS * np.sqrt((1.0 + mass) / a**3) / (1.0 - e * np.cos(anomaly))
    position = a * np.array([np.cos(anomaly) - e, flat * np.sin(anomaly), 0.0])
    velocity = a * rate * np.array([-np.sin(anomaly), flat * np.cos(anomaly), 0.0])
    turn = _turn_z(node) @ _turn_x(inclination) @ _turn_z(perihelion - node)
    return turn @ position, turn @ velocity


def _turn_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def _turn_x(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])

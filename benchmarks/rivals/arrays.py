"""The problems in array form, for tools that differentiate array programs.

`xp` is the tool's module in NumPy's manner, `tool` what the tools call differently: `array`, `logsumexp`, `border`
(zeros around), `solve_lower`, and `scan(step, carry, rows)`, which folds a step over rows and returns the last carry
and the stacked outputs.
"""

from __future__ import annotations

import math

import numpy as np


def gmm(xp, tool, constants, d=10, k=25):
    n, width, dof = len(constants) // d, d + d * (d - 1) // 2, d + 1
    data = tool.array(constants.reshape(n, d))
    columns, rows = np.triu_indices(d, 1)
    place = np.zeros((d, d), dtype=int)  # where in the packed factor an entry of its lower triangle is
    place[rows, columns] = np.arange(width - d)
    lower, diagonal = tool.array(np.tril(np.ones((d, d)), -1)), tool.array(np.eye(d))
    log_gamma = 0.25 * d * (d - 1) * math.log(math.pi) + sum(math.lgamma(0.5 * (dof + 1 - j)) for j in range(1, d + 1))
    shift = -n * d * 0.5 * math.log(2 * math.pi) + k * (0.5 * dof * d * math.log(2.0) + log_gamma)

    def objective(x):
        alphas, means, icf = x[:k], x[k : k + k * d].reshape(k, d), x[k + k * d :].reshape(k, width)
        diag, logdet = xp.exp(icf[:, :d]), icf[:, :d].sum(1)
        factor = icf[:, d:][:, place] * lower + diag[:, :, None] * diagonal
        scaled = (data[None] - means[:, None]) @ xp.swapaxes(factor, 1, 2)
        term = alphas[:, None] + logdet[:, None] - 0.5 * (scaled * scaled).sum(2)
        prior = 0.5 * ((diag * diag).sum() + (icf[:, d:] * icf[:, d:]).sum())
        return shift + tool.logsumexp(term, 0).sum() - n * tool.logsumexp(alphas, 0) + prior

    return objective


def ba(xp, x, feature):
    # The residual of one observation.
    axis, v = x[:3], x[11:14] - x[3:6]
    theta = xp.sqrt((axis * axis).sum())
    axis = axis / theta
    c, s = xp.cos(theta), xp.sin(theta)
    side = xp.stack([axis[(i + 1) % 3] * v[(i + 2) % 3] - axis[(i + 2) % 3] * v[(i + 1) % 3] for i in range(3)])
    seen = v * c + side * s + axis * ((axis * v).sum() * (1.0 - c))
    p = seen[:2] / seen[2]
    sq = (p * p).sum()
    stretch = 1.0 + x[9] * sq + x[10] * sq * sq
    return x[14] * (p * stretch * x[6] + x[7:9] - feature)


def lstm(xp, tool, constants, layers=2, b=14):
    state = tool.array(constants[: 2 * layers * b].reshape(layers, 2, b))
    sequence = constants[2 * layers * b :].reshape(-1, b)
    pairs = tool.array(np.stack([sequence[:-1], sequence[1:]], 1))

    def sigmoid(v):
        return 1.0 / (1.0 + xp.exp(-v))

    def objective(x):
        main, extra = x[: layers * 8 * b].reshape(layers, 2, 4, b), x[layers * 8 * b :].reshape(3, b)

        def step(carry, pair):
            v, after = pair[0] * extra[0], []
            for (weight, bias), (hidden, cell) in zip(main, carry, strict=True):
                forget, ingate = sigmoid(v * weight[0] + bias[0]), sigmoid(hidden * weight[1] + bias[1])
                outgate, change = sigmoid(v * weight[2] + bias[2]), xp.tanh(hidden * weight[3] + bias[3])
                kept = cell * forget + ingate * change
                v = outgate * xp.tanh(kept)
                after.append((v, kept))
            y = v * extra[1] + extra[2]
            return tuple(after), (pair[1] * (y - xp.log(2.0 + xp.exp(y).sum()))).sum()

        _, gains = tool.scan(step, tuple((s[0], s[1]) for s in state), pairs)
        return -gains.sum() / ((len(sequence) - 1) * b)

    return objective


def logsumexp(_xp, tool, _constants):
    return lambda x: tool.logsumexp(x, 0)


def vecnorm(xp, tool, constants):
    weight = tool.array(constants)
    return lambda x: (weight * (x / xp.sqrt((x * x).sum()))).sum()


def nbody(xp, tool, _constants, n=64, steps=100, dt=1e-3, softening=1e-2):
    others, rows = tool.array(1.0 - np.eye(n)), tool.array(np.zeros(steps))

    def objective(x):
        mass = x[6 * n :]

        def step(carry, _):
            p, v = carry
            gap = p[None] - p[:, None]
            sq = (gap * gap).sum(2) + softening
            pull = others * (dt * mass[None] / (sq * xp.sqrt(sq)))
            v = v + (pull[:, :, None] * gap).sum(1)
            return (p + dt * v, v), 0.0

        (p, _), _ = tool.scan(step, (x[: 3 * n].reshape(n, 3), x[3 * n : 6 * n].reshape(n, 3)), rows)
        return 0.5 * (p * p).sum()

    return objective


def brusselator(xp, tool, _constants, n=32, steps=100, dt=1e-3):
    rows = tool.array(np.zeros(steps))

    def around(u):
        return xp.roll(u, 1, 0) + xp.roll(u, -1, 0) + xp.roll(u, 1, 1) + xp.roll(u, -1, 1) - 4.0 * u

    def objective(x):
        a, b, spread = x[2 * n * n], x[2 * n * n + 1], x[2 * n * n + 2] * (n * n)

        def rate(s):
            u, v = s[0], s[1]
            react = u * u * v
            return xp.stack([b + react - (a + 1.0) * u + spread * around(u), a * u - react + spread * around(v)])

        return 0.5 * (runge_kutta(tool, rate, x[: 2 * n * n].reshape(2, n, n), dt, rows) ** 2).sum()

    return objective


def heat(_xp, tool, _constants, n=64, steps=200, dt=0.1):
    def objective(x):
        start, k = x[: n * n].reshape(n, n), x[n * n :].reshape(n, n)

        def step(u, _):
            around = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * u[1:-1, 1:-1]
            return u + tool.border(dt * k[1:-1, 1:-1] * around), 0.0

        return 0.5 * (tool.scan(step, start, np.zeros(steps))[0] ** 2).sum()

    return objective


def runge_kutta(tool, rate, start, h, rows):
    def step(y, _):
        k1 = rate(y)
        k2 = rate(y + 0.5 * h * k1)
        k3 = rate(y + 0.5 * h * k2)
        k4 = rate(y + h * k3)
        return y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4), 0.0

    return tool.scan(step, start, rows)[0]


def lorenz(xp, y, par):
    return xp.stack([par[0] * (y[1] - y[0]), y[0] * (par[1] - y[2]) - y[1], y[0] * y[1] - par[2] * y[2]])


def euler(xp, tool, _constants, steps=100000):
    def step(x, _):
        return (x[0] + lorenz(xp, *x) / steps, x[1]), 0.0

    return lambda x: 0.5 * (tool.scan(step, (x[:3], x[3:]), np.zeros(steps))[0][0] ** 2).sum()


def rk4(xp, tool, _constants, steps=50000):
    rows = np.zeros(steps)
    return lambda x: 0.5 * (runge_kutta(tool, lambda y: lorenz(xp, y, x[3:]), x[:3], 1 / steps, rows) ** 2).sum()


def mlp(xp, tool, constants, batch=64, wide=128, mid=128, classes=10):
    rows, label = tool.array(constants[: batch * wide].reshape(batch, wide)), constants[batch * wide :].astype(int)
    ends = np.cumsum([wide * mid, mid, mid * mid, mid, mid * classes])

    def objective(x):
        h = xp.tanh(rows @ x[: ends[0]].reshape(wide, mid) + x[ends[0] : ends[1]])
        h = xp.tanh(h @ x[ends[1] : ends[2]].reshape(mid, mid) + x[ends[2] : ends[3]])
        z = h @ x[ends[3] : ends[4]].reshape(mid, classes) + x[ends[4] :]
        return (tool.logsumexp(z, 1) - z[np.arange(batch), label]).sum() / batch

    return objective


def cholesky(xp, tool, _constants, n=128):
    def objective(x):
        a, b = xp.tril(x[: n * n].reshape(n, n)), x[n * n :]
        factor = xp.linalg.cholesky(a + xp.tril(a, -1).T)
        y = tool.solve_lower(factor, b)
        return (y * y).sum() + 2.0 * xp.log(xp.diagonal(factor)).sum()

    return objective


def fft(xp, tool, constants):
    weight = tool.array(constants)

    def objective(x):
        z = xp.fft.fft(x.reshape(-1, 2)[:, 0] + 1j * x.reshape(-1, 2)[:, 1])
        return (weight * (z.real**2 + z.imag**2)).sum()

    return objective


def montecarlo(xp, tool, constants, steps=64, years=1.0):
    normal, dt = tool.array(constants.reshape(-1, steps)), years / steps

    def objective(x):
        vol = x[3:]
        moves = (x[2] - 0.5 * vol * vol) * dt + vol * math.sqrt(dt) * normal
        gain = (x[0] * xp.exp(xp.cumsum(moves, 1))).sum(1) / steps - x[1]
        return xp.exp(-x[2] * years) * xp.where(gain > 0.0, gain, 0.0).sum() / len(normal)

    return objective


def hand(xp, tool, constants, bones=22, vertices=544, points=1000):
    sizes = (bones, bones * 12, bones * 12, vertices * 3, vertices * bones, points * 3, points * 3)
    parts = np.split(constants, np.cumsum(sizes)[:-1])
    parent, corner = parts[0].astype(int), parts[6].astype(int).reshape(points, 3)
    square = np.tile(np.eye(4), (2, bones, 1, 1))
    square[0, :, :3], square[1, :, :3] = parts[1].reshape(bones, 3, 4), parts[2].reshape(bones, 3, 4)
    rest, inverse = tool.array(square[0]), tool.array(square[1])
    vertex = tool.array(np.column_stack([parts[3].reshape(vertices, 3), np.ones(vertices)]))
    weight, measured = tool.array(parts[4].reshape(vertices, bones)), tool.array(parts[5].reshape(points, 3))
    unit, nought = tool.array(np.ones(())), tool.array(np.zeros(()))

    def joint(bend, spread):
        cb, sb, cs, ss = xp.cos(bend), xp.sin(bend), xp.cos(spread), xp.sin(spread)
        rows = [cs, -ss * cb, ss * sb, nought, ss, cs * cb, -cs * sb, nought, nought, sb, cb, nought]
        return xp.stack([*rows, nought, nought, nought, unit]).reshape(4, 4)

    def skeleton(pose):
        absolute = []
        for bone in range(bones):
            at, first = (bone - 2) % 4, 6 + (bone - 2) // 4 * 4
            move = rest[bone]
            if bone >= 2 and at < 3:
                bend, spread = (pose[first], pose[first + 1]) if at == 0 else (pose[first + at + 1], nought)
                move = move @ joint(bend, spread)
            absolute.append(move if parent[bone] < 0 else absolute[parent[bone]] @ move)
        return xp.stack(absolute) @ inverse

    def rotation(r):
        angle = xp.sqrt((r * r).sum())
        a, b, c = r / angle
        cross = xp.stack([nought, -c, b, c, nought, -a, -b, a, nought]).reshape(3, 3)
        return xp.sin(angle) * cross + (1.0 - xp.cos(angle)) * (cross @ cross) + tool.array(np.eye(3))

    def objective(x):
        pose, place = x[:26], x[26:].reshape(points, 2)
        blend = (weight @ skeleton(pose).reshape(bones, 16)).reshape(vertices, 4, 4)
        skin = (blend @ vertex[:, :, None])[:, :3, 0]
        surface = skin @ rotation(pose[:3]).T + pose[3:6]
        first, second = place[:, :1], place[:, 1:]
        third = 1.0 - first - second
        a, b, c = surface[corner[:, 0]], surface[corner[:, 1]], surface[corner[:, 2]]
        return 0.5 * ((measured - first * a - second * b - third * c) ** 2).sum()

    return objective

"""Fitting nets to samples: gradients by hand, because most inputs are 0, and Adam.

The net that judges positions learns how games ended. The one that chooses learns to do more often what went better
than expected (PPO: not much more often than when the games were played, or it would learn from games it no longer
plays).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from registan.bots import policy as policies
from registan.bots.net import OUTPUTS
from registan.bots.policy import SHORT
from registan.core.compiled import compiled
from registan.core.game import Ints
from registan.lab.train.play import Samples, to_odds

MEAN, SQUARE = 0.9, 0.999
TINY = 1e-7


class Fit(NamedTuple):
    """Weights and what Adam remembers of their gradients."""

    sizes: Ints
    weights: Ints
    mean: Ints
    square: Ints
    average: Ints
    """The weights, averaged over the last steps: steadier than the weights themselves."""
    steps: Ints
    """How many steps were made, an array of one."""


def start(sizes: Ints, weights: Ints) -> Fit:
    """Return what is needed to fit a net, from these weights on."""
    zeros = np.zeros((2, len(weights)), np.float32)
    return Fit(sizes, weights.copy(), zeros[0], zeros[1], weights.copy(), np.zeros(1, np.int64))


@compiled
def product(row: Ints, other: Ints) -> Any:
    """Return the sum of products, as four sums: one would wait for itself at every step."""
    a = b = c = d = np.float32(0.0)
    whole = len(row) // 4 * 4
    for j in range(0, whole, 4):
        a += row[j] * other[j]
        b += row[j + 1] * other[j + 1]
        c += row[j + 2] * other[j + 2]
        d += row[j + 3] * other[j + 3]
    for j in range(whole, len(row)):
        a += row[j] * other[j]
    return (a + b) + (c + d)


@compiled
def forwards(fit: Fit, samples: Samples, k: int, sums: Ints, hidden: Ints) -> tuple[Any, Any]:
    """Return what the net says of a sample: the chance to win and the margin; keep both layers before activation."""
    wide, narrow = int(fit.sizes[1]), int(fit.sizes[2])
    w = fit.weights
    sums[:] = 0.0
    for i in range(samples.starts[k], samples.starts[k + 1]):
        at = int(samples.places[i]) * wide
        row = w[at : at + wide]
        x = samples.inputs[i]
        for j in range(wide):
            sums[j] += row[j] * x
    second = int(fit.sizes[0]) * wide
    at = second + wide * narrow
    bias = w[at : at + narrow]
    for j in range(narrow):
        hidden[j] = bias[j]
    for i in range(wide):
        x = sums[i]
        if x > 0.0:
            row = w[second + i * narrow : second + i * narrow + narrow]
            for j in range(narrow):
                hidden[j] += row[j] * x
    at += narrow
    last = w[at : at + OUTPUTS * narrow + OUTPUTS]
    win = last[OUTPUTS * narrow]
    margin = last[OUTPUTS * narrow + 1]
    for j in range(narrow):
        x = max(hidden[j], np.float32(0.0))
        win += last[OUTPUTS * j] * x
        margin += last[OUTPUTS * j + 1] * x
    return np.float32(1.0) / (np.float32(1.0) + np.exp(-win)), np.tanh(margin)


@compiled
def backwards(
    fit: Fit,
    samples: Samples,
    k: int,
    d_win: Any,
    d_margin: Any,
    sums: Ints,
    hidden: Ints,
    back: Ints,
    slopes: Ints,
) -> None:
    """Add the gradient of a sample, from the slopes of its two outputs back to its inputs."""
    wide, narrow = int(fit.sizes[1]), int(fit.sizes[2])
    w = fit.weights
    second = int(fit.sizes[0]) * wide
    at = second + wide * narrow
    bias_slope = slopes[at : at + narrow]
    at += narrow
    last = w[at : at + OUTPUTS * narrow + OUTPUTS]
    last_slope = slopes[at : at + OUTPUTS * narrow + OUTPUTS]
    last_slope[OUTPUTS * narrow] += d_win
    last_slope[OUTPUTS * narrow + 1] += d_margin
    for j in range(narrow):
        x = hidden[j]
        hidden[j] = 0.0
        if x > 0.0:
            last_slope[OUTPUTS * j] += d_win * x
            last_slope[OUTPUTS * j + 1] += d_margin * x
            hidden[j] = d_win * last[OUTPUTS * j] + d_margin * last[OUTPUTS * j + 1]
            bias_slope[j] += hidden[j]
    for i in range(wide):
        x = sums[i]
        back[i] = 0.0
        if x > 0.0:
            row = w[second + i * narrow : second + i * narrow + narrow]
            slope = slopes[second + i * narrow : second + i * narrow + narrow]
            for j in range(narrow):
                slope[j] += hidden[j] * x
            back[i] = product(row, hidden)
    for i in range(samples.starts[k], samples.starts[k + 1]):
        at = int(samples.places[i]) * wide
        slope = slopes[at : at + wide]
        x = samples.inputs[i]
        for j in range(wide):
            slope[j] += back[j] * x


@compiled
def step(fit: Fit, slopes: Ints, n: int, rate: float, decay: float, average: float) -> None:
    """Adam: one step against the gradient of n samples, which is then cleared; weights decay a little."""
    fit.steps[0] += 1
    times = float(fit.steps[0])
    speed = np.float32(rate * np.sqrt(1.0 - SQUARE**times) / (1.0 - MEAN**times))
    share = np.float32(1.0 / n)
    old, new = np.float32(MEAN), np.float32(1.0 - MEAN)
    old_square, new_square = np.float32(SQUARE), np.float32(1.0 - SQUARE)
    shrink = np.float32(1.0 - rate * decay)
    mix = np.float32(max(average, 10.0 / (10.0 + times)))
    tiny = np.float32(TINY)
    w, mean, square, smooth = fit.weights, fit.mean, fit.square, fit.average
    for i in range(len(w)):
        slope = slopes[i] * share
        slopes[i] = 0.0
        mean[i] = old * mean[i] + new * slope
        square[i] = old_square * square[i] + new_square * slope * slope
        w[i] = w[i] * shrink - speed * mean[i] / (np.sqrt(square[i]) + tiny)
        smooth[i] += mix * (w[i] - smooth[i])


@compiled
def fit_samples(
    fit: Fit,
    samples: Samples,
    order: Ints,
    batch: int,
    rate: float,
    decay: float,
    average: float,
    slopes: Ints,
    loss: Ints,
) -> None:
    """Go through samples once, in this order, a step for each batch; add the squared errors to `loss`."""
    wide = int(fit.sizes[1])
    sums = np.zeros(wide, np.float32)
    back = np.zeros(wide, np.float32)
    hidden = np.zeros(int(fit.sizes[2]), np.float32)
    for start in range(0, len(order), batch):
        stop = min(start + batch, len(order))
        for k in range(start, stop):
            here = int(order[k])
            win, margin = forwards(fit, samples, here, sums, hidden)
            # Cross entropy of the win and half the squared error of the margin.
            off_win, off_margin = win - samples.targets[here, 0], margin - samples.targets[here, 1]
            slope = np.float32(off_margin * (1.0 - margin * margin))
            backwards(fit, samples, here, np.float32(off_win), slope, sums, hidden, back, slopes)
            loss[0] += off_win**2
            loss[1] += off_margin**2
        step(fit, slopes, stop - start, rate, decay, average)


@compiled
def policy_slopes(
    sizes: Ints, w: Ints, samples: Samples, order: Ints, clip: float, variety: float, slopes: Ints, moved: Ints
) -> None:
    """Add the gradient of the net that chooses over these samples; add to `moved` how far their odds have moved."""
    wide, narrow = int(sizes[2]), int(sizes[3])
    sums, hidden = np.zeros((SHORT + 1, wide), np.float32), np.zeros((SHORT, narrow), np.float32)
    out, back = np.zeros(SHORT, np.float32), np.zeros(SHORT, np.float32)
    wide_back, narrow_back = np.zeros((2, wide), np.float32), np.zeros(narrow, np.float32)
    for o in range(len(order)):
        k = int(order[o])
        places = samples.places[samples.starts[k] : samples.starts[k + 1]]
        inputs = samples.inputs[samples.starts[k] : samples.starts[k + 1]]
        at = int(samples.choices[k])
        n = int(samples.choices[k + 1]) - at
        traits = samples.traits[at : at + n]
        policies.forwards(sizes, w, places, inputs, traits, n, sums, hidden, out)
        for i in range(n):
            out[i] += samples.worth[at + i]
        to_odds(out, n)
        chosen = int(samples.chosen[k])
        ratio = out[chosen] / max(samples.odds[k], np.float32(1e-6))
        gain = samples.gains[k]
        moved[0] += abs(ratio - 1.0)
        held = (gain > 0.0 and ratio > 1.0 + clip) or (gain < 0.0 and ratio < 1.0 - clip)
        entropy = np.float32(0.0)
        for i in range(n):
            entropy -= out[i] * np.log(out[i] + np.float32(TINY))
        for i in range(n):
            back[i] = 0.0 if held else -gain * ratio * ((1.0 if i == chosen else 0.0) - out[i])
            back[i] += variety * out[i] * (np.log(out[i] + np.float32(TINY)) + entropy)
        policy_backwards(sizes, w, places, inputs, traits, n, back, sums, hidden, wide_back, narrow_back, slopes)


@compiled
def policy_backwards(
    sizes: Ints, w: Ints, places: Ints, inputs: Ints, traits: Ints, n: int, back: Ints, sums: Ints, hidden: Ints,
    wide_back: Ints, narrow_back: Ints, slopes: Ints,
) -> None:  # fmt: skip
    """Add the gradient of a decision, from the slopes of the preferences in `back` to its inputs."""
    known, wide, narrow = int(sizes[0]), int(sizes[2]), int(sizes[3])
    second = (known + int(sizes[1])) * wide
    bias = second + wide * narrow
    last = bias + narrow
    total, here = wide_back[0], wide_back[1]
    total[:] = 0.0
    for k in range(n):
        slopes[last + narrow] += back[k]
        for j in range(narrow):
            x = hidden[k, j]
            narrow_back[j] = 0.0
            if x > 0.0:
                slopes[last + j] += back[k] * x
                narrow_back[j] = back[k] * w[last + j]
                slopes[bias + j] += narrow_back[j]
        for i in range(wide):
            x = sums[k, i]
            here[i] = 0.0
            if x > 0.0:
                row = w[second + i * narrow : second + (i + 1) * narrow]
                slope = slopes[second + i * narrow : second + (i + 1) * narrow]
                for j in range(narrow):
                    slope[j] += narrow_back[j] * x
                here[i] = product(row, narrow_back)
        for j in range(wide):
            total[j] += here[j]
        for i in range(traits.shape[1]):
            x = traits[k, i]
            if x != 0.0:
                slope = slopes[(known + i) * wide : (known + i + 1) * wide]
                for j in range(wide):
                    slope[j] += here[j] * x
    for i in range(len(places)):
        slope = slopes[int(places[i]) * wide : (int(places[i]) + 1) * wide]
        x = inputs[i]
        for j in range(wide):
            slope[j] += total[j] * x


@compiled
def policy_step(fit: Fit, parts: Ints, n: int, rate: float, average: float) -> None:
    """Make one step of the net that chooses, by gradients that were added up in several parts."""
    for k in range(1, len(parts)):
        for i in range(parts.shape[1]):
            parts[0, i] += parts[k, i]
            parts[k, i] = 0.0
    step(fit, parts[0], n, rate, 0.0, average)

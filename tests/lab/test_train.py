"""Learning: a run gets better, gives the same net again, goes on where it stopped; what it writes can be used."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan.bots import net as nets
from registan.bots import policy as policies
from registan.bots.eyes import tuned_eye
from registan.core.box import find_box
from registan.core.errors import BadInput
from registan.core.match import Match
from registan.core.registry import find
from registan.lab.estimates import Estimate
from registan.lab.train import checkpoint
from registan.lab.train import fit as fitting
from registan.lab.train.calibration import binned, calibration
from registan.lab.train.curve import Point, curve, read_points
from registan.lab.train.loop import Crew, Limit, compared, train
from registan.lab.train.onnx import exported, exported_policy
from registan.lab.train.play import Samples
from registan.lab.train.run import Training, begin, play
from registan.lab.train.settings import Settings
from registan_well import GAME as WELL
from tests.lab.command import run

SMALL = Settings(
    first=24, second=8, value_first=24, value_second=8, samples=6000, rate=0.01, rate_end=0.002, average=0.05,
    value_rate=0.01, value_average=0.05, players=3,
)  # fmt: skip
GAMES = 120


def learned(folder: Path, rounds: int, of: int, training: Training | None = None) -> Training:
    """Learn for some rounds of a run of that many."""
    folder.mkdir(exist_ok=True)
    training = training or begin(WELL, find_box(WELL), SMALL, seed=3)
    limit = Limit(rounds=of)
    while training.rounds < rounds:
        done = limit.done(training)
        training.learn(Crew().play(training.tasks()), done)
    return training


def test_a_short_run_learns_to_choose_and_to_foresee() -> None:
    training = begin(WELL, find_box(WELL), SMALL, seed=3)
    first = Samples(*(part.copy() for part in Crew().play(training.tasks())[0][0]))
    errors = []
    for done in (0.0, 0.2, 0.4, 0.5, 0.7, 0.9):
        training.learn(Crew().play(training.tasks()), done)
        errors.append(training.error)
    assert errors[-1] < errors[0] - 0.01
    last = Crew().play(training.tasks())[0][0]
    assert variety(last) < variety(first), "it has found out what to prefer"


def variety(samples: Samples) -> float:
    """How unlikely what was chosen had been, on average, where there was a choice."""
    decisions = np.diff(samples.choices) > 0
    assert decisions.sum() > 200
    return float(-np.log(samples.odds[decisions]).mean())


def test_samples_tell_what_was_known_chosen_and_how_it_went() -> None:
    training = begin(WELL, find_box(WELL), SMALL, seed=3)
    samples, games = Crew().play(training.tasks())[0]
    decisions = np.diff(samples.choices) > 0
    quiet = ~decisions
    assert games > 20
    assert decisions.any()
    assert quiet.any()
    assert samples.chosen[decisions].min() >= 0
    assert (samples.chosen < np.maximum(1, np.diff(samples.choices))).all()
    assert ((samples.odds[decisions] > 0) & (samples.odds[decisions] <= 1)).all()
    assert ((samples.targets[:, 0] >= 0) & (samples.targets[:, 0] <= 1)).all()
    with_all_that_followed = replace(training.settings, lamda=1.0)
    task = replace(training.tasks()[0], settings=with_all_that_followed)
    samples, _ = play(task)
    decisions = np.diff(samples.choices) > 0
    ended = 0.7 * samples.targets[:, 0] + 0.3 * (0.5 + 0.5 * samples.targets[:, 1])
    assert np.allclose(samples.gains[decisions], (ended - samples.expected)[decisions], atol=1e-6)


def test_the_gradient_is_that_of_the_loss() -> None:
    """Compared with differences: what is chosen more often if that went better than expected."""
    training = begin(WELL, find_box(WELL), replace(SMALL, first=6, second=4), seed=2)
    chance = np.random.default_rng(1)
    samples, _ = Crew().play(training.tasks())[0]
    which = np.flatnonzero(np.diff(samples.choices) > 1)[:40]
    sizes, weights = training.fit.sizes, training.fit.weights
    weights += chance.normal(0.0, 0.3, len(weights)).astype(np.float32)
    samples.gains[:] /= samples.gains.std()

    def loss(w: Any) -> float:
        total = 0.0
        for k in which:
            n = int(samples.choices[k + 1] - samples.choices[k])
            at, inputs = int(samples.choices[k]), slice(samples.starts[k], samples.starts[k + 1])
            out = np.zeros(16, np.float32)
            sums, hidden = np.zeros((17, 6), np.float32), np.zeros((16, 4), np.float32)
            places, values, traits = samples.places[inputs], samples.inputs[inputs], samples.traits[at : at + n]
            policies.forwards(sizes, w, places, values, traits, n, sums, hidden, out)
            logits = out[:n].astype(float) + samples.worth[at : at + n]
            odds = np.exp(logits - logits.max())
            odds /= odds.sum()
            total -= samples.gains[k] * odds[samples.chosen[k]] / samples.odds[k]
            total += 0.5 * float((odds * np.log(odds + 1e-12)).sum())
        return total

    slopes, moved = np.zeros(len(weights), np.float32), np.zeros(1)
    fitting.policy_slopes(sizes, weights, samples, which, 1e9, 0.5, slopes, moved)
    used = np.flatnonzero(slopes)
    for i in chance.choice(used, 25, replace=False):
        more, less = weights.copy(), weights.copy()
        more[i] += 2e-3
        less[i] -= 2e-3
        assert slopes[i] == pytest.approx((loss(more) - loss(less)) / 4e-3, rel=0.05, abs=0.05)


def test_the_same_seed_learns_the_same_on_any_number_of_threads_and_after_an_interruption(tmp_path: Path) -> None:
    whole = learned(tmp_path / "whole", 4, 4)
    first = learned(tmp_path / "part", 2, 4)
    checkpoint.save(tmp_path / "part", first)
    back = checkpoint.load(tmp_path / "part", WELL, find_box(WELL))
    assert (back.rounds, back.games, back.samples) == (2, first.games, first.samples)
    rest = learned(tmp_path / "part", 4, 4, back)
    assert rest.fit.weights.tobytes() == whole.fit.weights.tobytes()
    assert rest.fit.average.tobytes() == whole.fit.average.tobytes()
    assert rest.value.average.tobytes() == whole.value.average.tobytes()
    threads = begin(WELL, find_box(WELL), SMALL, seed=3)
    for _ in range(4):
        threads.learn(Crew(workers=2).play(threads.tasks()), threads.rounds / 4, workers=2)
    assert threads.fit.weights.tobytes() == whole.fit.weights.tobytes()
    other = begin(WELL, find_box(WELL), SMALL, seed=4)
    assert other.fit.weights.tobytes() != begin(WELL, find_box(WELL), SMALL, seed=3).fit.weights.tobytes()


def test_a_run_writes_its_net_its_progress_and_goes_on(tmp_path: Path) -> None:
    training = begin(WELL, find_box(WELL), SMALL, seed=1)
    told: list[float] = []
    points = list(train(training, tmp_path, Limit(rounds=2), Crew(), GAMES, told.append))
    assert told == [0.5, 1.0]
    assert [point.rounds for point in points] == [1, 2]
    assert points[0].before is None
    assert points[1].before is not None
    assert {path.name for path in tmp_path.iterdir()} == {
        "checkpoint.npz", "weights.npz", "value.npz", "weights-000001.npz", "weights-000002.npz",
    }  # fmt: skip
    sizes, weights = policies.read(tmp_path / "weights.npz", WELL)
    assert np.allclose(weights, training.fit.average, atol=1e-2, rtol=1e-2)
    assert sizes.tolist() == training.fit.sizes.tolist()
    again = begin(WELL, find_box(WELL), SMALL, seed=1, start=tmp_path / "weights.npz")
    assert np.array_equal(again.fit.weights, weights)
    _, value = nets.read(tmp_path / "value.npz", WELL)
    assert np.array_equal(again.value.weights, value), "it lies beside the net that chooses"
    assert (
        list(train(checkpoint.load(tmp_path, WELL, find_box(WELL)), tmp_path, Limit(rounds=2), Crew(), 1, print)) == []
    )


def test_chances_are_compared_with_how_games_end(tmp_path: Path) -> None:
    training = learned(tmp_path, 5, 6)
    bins = calibration(training)
    positions = sum(part.positions for part in bins)
    assert positions > 300
    expects, won = (sum(getattr(part, name) * part.positions for part in bins) for name in ("predicted", "won"))
    assert abs(expects - won) < 0.1 * positions


def test_predictions_are_compared_with_outcomes_in_bins() -> None:
    found = binned(np.array([0.05, 0.07, 0.31, 0.39, 1.0]), np.array([0.0, 1.0, 0.0, 0.5, 1.0]))
    assert [part.predicted for part in found] == pytest.approx([0.06, 0.35, 1.0])
    assert [(part.won, part.positions) for part in found] == [(0.5, 2), (0.25, 2), (1.0, 1)]


def test_what_is_not_a_run_is_refused(tmp_path: Path) -> None:
    box = find_box(WELL)
    checks = {}
    with pytest.raises(BadInput) as caught:
        checkpoint.load(tmp_path, WELL, box)
    checks["nothing"] = caught.value.key
    training = begin(WELL, box, SMALL, seed=1)
    checkpoint.save(tmp_path, training)
    other = find("khiva")
    with pytest.raises(BadInput) as caught:
        checkpoint.load(tmp_path, other, find_box(other))
    checks["other"] = caught.value.key
    with pytest.raises(BadInput) as caught:
        checkpoint.load(tmp_path, WELL, replace(box, sha256="0" * 64))
    checks["box"] = caught.value.key
    path = tmp_path / "checkpoint.npz"
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(BadInput) as caught:
        checkpoint.load(tmp_path, WELL, box)
    checks["broken"] = caught.value.key
    assert checks == {
        "nothing": "lab.train.nothing", "other": "lab.train.other", "box": "lab.train.other",
        "broken": "lab.train.broken",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "chess"),
        (["khiva", "--minutes", 0], "--minutes"),
        (["khiva", "--rounds", 0], "--rounds"),
        (["khiva", "--minutes", 1, "--rounds", 1], "not both"),
        (["khiva", "--players", 7], "7"),
        (["khiva", "--games", 0], "--games"),
        (["khiva", "--resume"], "no training run"),
        (["khiva", "--on", "moon"], "moon"),
        (["khiva", "--start", "none.npz"], "none.npz"),
        (["export", "khiva", "--weights", "none.npz"], "none.npz"),
        (["export", "khiva", "--value", "--weights", "none.npz"], "none.npz"),
        (["export", "khiva", "--players", 9], "9"),
    ],
)
def test_bad_input_is_told_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[object], told: str
) -> None:
    out = tmp_path / "out"
    code, _, err = run(capsys, "train", *words, "--out", out)
    assert code == 2
    assert told in err
    assert err.count("\n") == 1
    assert not out.exists()


def test_a_folder_with_a_run_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "checkpoint.npz").write_bytes(b"mine")
    code, _, err = run(capsys, "train", "khiva", "--rounds", 1, "--out", tmp_path)
    assert (code, "--resume" in err) == (2, True)
    assert (tmp_path / "checkpoint.npz").read_bytes() == b"mine"


def test_progress_is_kept_as_lines_and_drawn(tmp_path: Path) -> None:
    points = [
        Point(5, 1.5, 100, 2000, 0.2, Estimate(0.3, 0.25, 0.35)),
        Point(9, 3.0, 200, 4000, 0.1, Estimate(0.4, 0.35, 0.45), Estimate(0.3, 0.2, 0.4)),
    ]
    file = tmp_path / "progress.jsonl"
    file.write_text("".join(point.line() + "\n" for point in points))
    assert read_points(file) == points
    assert read_points(tmp_path / "none.jsonl") == []
    picture = curve(points, 0.25, "A < B", "fr")
    assert picture.count("<circle") == 2
    assert "A &lt; B" in picture
    file.write_text("{")
    with pytest.raises(BadInput):
        read_points(file)


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    """Read the fields of a protocol buffer, as anybody would who has only its description."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            assert tag & 7 == 2
            size = varint()
            yield tag >> 3, data[at : at + size]
            at += size


OPERATIONS: dict[str, Callable[..., Any]] = {
    "MatMul": lambda a, b: a @ b,
    "Add": lambda a, b: a + b,
    "Relu": lambda a: np.maximum(a, 0),
    "Sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "Tanh": np.tanh,
}


def run_onnx(data: bytes, values: dict[str, Any]) -> dict[str, Any]:
    """What a model makes of its inputs, by its own nodes."""
    graph = dict(fields(data))[7]
    for number, tensor in fields(graph):
        if number == 5:
            shape = [size for field, size in fields(tensor) if field == 1]
            told = dict(fields(tensor))
            floats = struct.unpack(f"<{len(told[9]) // 4}f", told[9])
            values[told[8].decode()] = np.array(floats, np.float32).reshape(shape)
    for number, node in fields(graph):
        if number == 1:
            names = [name.decode() for field, name in fields(node) if field == 1]
            told = dict(fields(node))
            values[told[2].decode()] = OPERATIONS[told[4].decode()](*(values[name] for name in names))
    return values


def test_an_onnx_file_of_the_net_that_judges_says_the_same() -> None:
    game = find("khiva")
    net = nets.make(game, 4, *nets.fresh(game, seed=2, first=32, second=8))
    inputs = np.random.default_rng(1).uniform(-1, 1, (3, net.inputs)).astype(np.float32)
    values = run_onnx(exported(net, "test"), {"inputs": inputs})
    room = nets.scratch(net)
    for row in range(3):
        nets.evaluate(net, inputs[row], room.sums, room.hidden, room.out)
        assert np.allclose(room.out, [values["win"][row, 0], values["margin"][row, 0]], atol=1e-4)


def test_an_onnx_file_of_the_net_that_chooses_prefers_the_same() -> None:
    game = find("khiva")
    sizes, weights = policies.fresh(game, seed=2, first=32, second=8)
    weights += np.random.default_rng(2).normal(0.0, 0.1, len(weights)).astype(np.float32)
    policy = policies.make(game, 4, sizes, weights)
    room = policies.room_for(game, policy)
    match = Match(game, find_box(game), 4)
    match.deal()
    eye = tuned_eye(game)
    n = policies.prefer(match.engine.box.array[0], match.hidden(0)[0], 0, policy, 1.0, 2.0, eye, room)
    values = run_onnx(exported_policy(policy, 2.0, "x"), {"inputs": room.inputs[None], "traits": room.traits[:n]})
    apart = values["preference"][:, 0] - room.out[:n]
    assert np.allclose(apart, apart[0], atol=1e-4), "but for what is the same for all"
    assert np.ptp(room.out[:n]) > 0.1


@pytest.mark.parametrize("kind", [[], ["--value"]])
def test_the_command_writes_an_onnx_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: list[str]) -> None:
    game, file = find("khiva"), tmp_path / "weights.npz"
    part = nets if kind else policies
    part.save(file, game, *part.fresh(game, first=8, second=4))
    out = tmp_path / "net.onnx"
    code, told, _ = run(capsys, "train", "export", "khiva", *kind, "--weights", file, "--players", 3, "--out", out)
    assert code == 0
    assert str(out) in told
    assert out.stat().st_size > 1000


def test_a_comparison_can_be_written_as_json(tmp_path: Path) -> None:
    training = begin(WELL, find_box(WELL), SMALL, seed=2)
    point = compared(training, tmp_path, Crew(), 30)
    assert json.loads(point.line())["rounds"] == 0

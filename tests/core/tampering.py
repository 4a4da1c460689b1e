"""Ways to tamper with the record of a game for three: each changes it and returns the move (from 1) that is then wrong.

None means that no move is wrong, but the head of the record or its end.
"""

from __future__ import annotations

from collections.abc import Callable

from registan.core.game import Json


def index(record: Json, wanted: Callable[[Json], bool]) -> int:
    """Return the number of the first line that is so, from 0."""
    return next(i for i, line in enumerate(record["moves"]) if wanted(line))


def does(word: str) -> Callable[[Json], bool]:
    return lambda line: line.get("do") == word


def is_deal(line: Json) -> bool:
    return "chance" in line


def scores(record: Json) -> int | None:
    record["scores"][1]["total"] += 1
    return None


def scores_no_list(record: Json) -> int | None:
    record["scores"] = 42
    return None


def winners(record: Json) -> int | None:
    record["winners"] = [0, 1, 2]
    return None


def gems_in_a_state(record: Json) -> int:
    record["moves"][5]["state"]["gems"][0] += 1
    return 6


def card_in_a_state(record: Json) -> int:
    record["moves"][0]["state"]["hands"][0][0] = "black-9"
    return 1


def part_of_a_state_missing(record: Json) -> int:
    del record["moves"][2]["state"]["salt"]
    return 3


def part_of_a_state_too_much(record: Json) -> int:
    record["moves"][2]["state"]["pepper"] = [1]
    return 3


def state_no_object(record: Json) -> int:
    record["moves"][3]["state"] = "fine"
    return 4


def legal_move_missing(record: Json) -> int:
    record["moves"][1]["legal"].pop()
    return 2


def legal_move_twice(record: Json) -> int:
    record["moves"][1]["legal"].append(record["moves"][1]["legal"][0])
    return 2


def legal_move_too_much(record: Json) -> int:
    i = index(record, does("move"))
    record["moves"][i]["legal"].append({**record["moves"][i]["legal"][0], "gems": 4})
    return i + 1


def legal_no_list(record: Json) -> int:
    record["moves"][1]["legal"] = {}
    return 2


def legal_no_moves(record: Json) -> int:
    record["moves"][1]["legal"] = ["choose"]
    return 2


def legal_on_a_deal(record: Json) -> int:
    i = index(record, is_deal)
    record["moves"][i]["legal"] = []
    return i + 1


def order_of_seats(record: Json) -> int:
    moves = record["moves"]
    moves[0], moves[1] = moves[1], moves[0]
    return 1


def deal_missing(record: Json) -> int:
    i = index(record, is_deal)
    del record["moves"][i]
    return i + 1


def deal_at_the_wrong_time(record: Json) -> int:
    deal = record["moves"][index(record, is_deal)]
    record["moves"].insert(3, {"chance": "deal", "hands": deal["hands"]})
    return 4


def another_chance(record: Json) -> int:
    i = index(record, is_deal)
    record["moves"][i]["chance"] = "tile"
    return i + 1


def dealt_a_card_somebody_holds(record: Json) -> int:
    i = index(record, is_deal)
    kept = record["moves"][i - 1]["state"]["hands"][0][0]
    record["moves"][i]["hands"][1][0] = kept
    return i + 1


def out_of_turn(record: Json) -> int:
    i = index(record, does("move"))
    record["moves"][i]["seat"] = (record["moves"][i]["seat"] + 1) % 3
    return i + 1


def seat_too_high(record: Json) -> int:
    record["moves"][2]["seat"] = 3
    return 3


def card_not_held(record: Json) -> int:
    record["moves"][1]["play"] = record["moves"][0]["play"]
    return 2


def too_many_gems(record: Json) -> int:
    i = index(record, does("move"))
    record["moves"][i]["gems"] = 4
    return i + 1


def move_of_another_game(record: Json) -> int:
    record["moves"][0] = {"seat": 0, "do": "marry", "family": "levant"}
    return 1


def line_of_another_game(record: Json) -> int:
    record["moves"].insert(3, {"price": 7, "stops": [0, 2]})
    return 4


def line_no_object(record: Json) -> int:
    record["moves"][4] = "white-4"
    return 5


def after_the_end(record: Json) -> int:
    record["moves"].append(record["moves"][0])
    return len(record["moves"])


def end_missing(record: Json) -> int | None:
    del record["moves"][-1]
    return None


def end_before_a_deal(record: Json) -> int | None:
    del record["moves"][index(record, is_deal) :]
    record |= {"status": "running", "scores": None, "winners": None}
    return None


def running_though_over(record: Json) -> int | None:
    record |= {"status": "running", "scores": None, "winners": None}
    return None


def running_with_scores(record: Json) -> int | None:
    del record["moves"][5:]
    record["status"] = "running"
    return None


def another_format(record: Json) -> int | None:
    record["format"] = "registan/2"
    return None


def another_status(record: Json) -> int | None:
    record["status"] = "won"
    return None


def no_moves(record: Json) -> int | None:
    del record["moves"]
    return None


def players_no_number(record: Json) -> int | None:
    record["players"] = "3"
    return None


def too_many_players(record: Json) -> int | None:
    record["players"] = 9
    return None


def unknown_game(record: Json) -> int | None:
    record["game"] = "chess"
    return None


def unknown_option(record: Json) -> int | None:
    record["options"] = {"harmony": "table"}
    return None


def no_box(record: Json) -> int | None:
    del record["box"]
    return None


def unknown_box(record: Json) -> int | None:
    record["box"]["key"] = "desert"
    return None


def box_without_a_key(record: Json) -> int | None:
    del record["box"]["key"]
    return None


def wrong_digest(record: Json) -> int | None:
    record["box"]["sha256"] = "0" * 64
    return None


def hand_in_the_setup(record: Json) -> int | None:
    record["setup"]["hands"][0].pop()
    return None


TAMPERED: list[tuple[Callable[[Json], int | None], str]] = [
    (scores, "The scores are"),
    (scores_no_list, "“scores” is missing or not of the right kind"),
    (winners, "The winners are"),
    (gems_in_a_state, "“gems” is"),
    (card_in_a_state, "“hands” is"),
    (part_of_a_state_missing, "“salt” is"),
    (part_of_a_state_too_much, "“pepper” is"),
    (state_no_object, "“state” is missing or not of the right kind"),
    (legal_move_missing, "is missing"),
    (legal_move_twice, "The legal moves differ"),
    (legal_move_too_much, '"gems": 4'),
    (legal_no_list, "“legal” is missing or not of the right kind"),
    (legal_no_moves, "must be an object"),
    (legal_on_a_deal, "“legal” is missing or not of the right kind"),
    (order_of_seats, "in the order of the seats"),
    (deal_missing, "A chance event must be written here"),
    (deal_at_the_wrong_time, "no chance event is due"),
    (another_chance, "The cards must be dealt here"),
    (dealt_a_card_somebody_holds, "is dealt twice"),
    (out_of_turn, "K5: "),
    (seat_too_high, "There is no seat 3"),
    (card_not_held, "K3: "),
    (too_many_gems, "K5: "),
    (move_of_another_game, "khiva has no move “marry”"),
    (line_of_another_game, "Nobody moves in this line"),
    (line_no_object, "A line must be an object"),
    (after_the_end, "The game is over, but the record continues"),
    (end_missing, "but it is not"),
    (end_before_a_deal, "A chance event must be written here"),
    (running_though_over, "The game has ended"),
    (running_with_scores, "“scores” is missing or not of the right kind"),
    (another_format, "registan/2"),
    (another_status, "“won”"),
    (no_moves, "“moves” is missing"),
    (players_no_number, "“players” is missing or not of the right kind"),
    (too_many_players, "2 to 5, not by 9"),
    (unknown_game, "chess"),
    (unknown_option, "harmony"),
    (no_box, "“box” is missing"),
    (unknown_box, "We have no box “desert”"),
    (box_without_a_key, "We have no box “None”"),
    (wrong_digest, "differs from that of the record"),
    (hand_in_the_setup, "5 different cards"),
]

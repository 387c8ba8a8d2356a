"""A whole game between two robots, to its verdict: it comes out the same as ever.

``make golden`` writes anew how it comes out.
"""

from functools import cache
from pathlib import Path

from referee.reports.text import text
from referee.rules.dice import Dice
from referee.rules.ruleset import SignUp, Standing
from referee.rulesets.fistful import RULESET
from referee.rulesets.fistful.state import State
from referee.testing.golden import DEADLINE
from referee.testing.scenarios import OrderReading
from tests.rulesets.fistful.played import SEATS
from tests.rulesets.fistful.robots import sheet

GOLDEN = Path(__file__).parent / "golden"
NAMES = ("ALMA", "BRUNO")
MOST_TURNS = 45
HEADINGS = {"Withdrawals", "Battles", "Colonies", "Recon"}


@cache
def states() -> tuple[State, ...]:
    """Give the states of the game, the one after its end last."""
    read, dice = OrderReading(), Dice(b"golden")
    signups = [SignUp(seat, name) for seat, name in zip(SEATS, NAMES, strict=True)]
    played = [RULESET.setup(signups, {}, dice)]
    while RULESET.verdict(played[-1]) is None and len(played) <= MOST_TURNS:
        state = played[-1]
        grammar = RULESET.grammar(RULESET.phase(state))
        orders = {seat: read(grammar, sheet(state, seat))
                  for seat in sorted(RULESET.phase(state).awaiting)}  # fmt: skip
        for seat, given in orders.items():
            rulings = RULESET.validate(state, seat, given)
            assert Standing.REFUSED not in {ruling.standing for ruling in rulings}, rulings
        played.append(RULESET.resolve(state, orders, frozenset(), dice).state)
    return tuple(played)


def files() -> dict[str, str]:
    """Give the files of the game: both reports after it, what happened, and the verdict."""
    last = states()[-1]
    verdict = RULESET.verdict(last)
    assert verdict is not None
    found = {"verdict.txt": text(verdict.standing).rstrip("\n") + "\n"}
    for seat, name in zip(SEATS, NAMES, strict=True):
        found[f"{name}.txt"] = text(RULESET.view(last, seat, DEADLINE)).rstrip("\n") + "\n"
        notes = (f"{s.turn:2} {note.text}" for s in states() for note in s.players[seat].notes)
        found[f"{name}-chronicle.txt"] = "\n".join(notes) + "\n"
    return found


def test_the_game_comes_out_as_it_was() -> None:
    for name, content in files().items():
        assert content == (GOLDEN / name).read_text(encoding="utf-8"), name


def test_everything_that_is_reported_happens_in_it() -> None:
    notes = {note.heading for s in states() for p in s.players.values() for note in p.notes}
    assert notes >= HEADINGS


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for file, content_ in files().items():
        (GOLDEN / file).write_text(content_, encoding="utf-8")

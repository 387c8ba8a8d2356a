"""A small game whose states are lines, with GMs' corrections and test cases."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self, cast

import pytest

from referee.rules.dice import Dice
from referee.rules.notation import Notation, NotationRunner
from referee.rules.ruleset import (
    Event,
    Grammar,
    Phase,
    Resolution,
    Ruleset,
    Ruling,
    RulingKind,
    Seat,
    UserError,
)
from referee.rules.scenarios import Case, Game, ScenarioRunner, seat_of
from referee.rules.turns import Step, TurnState

MOST: Final = 9


@dataclass
class Player:
    """A player with a pile of stones."""

    name: str
    stones: int = 0


@dataclass
class State:
    """The piles."""

    players: dict[Seat, Player]
    turn: int = 1
    winners: frozenset[Seat] = field(default_factory=frozenset)

    def copy(self) -> Self:
        """Return a copy."""
        players = {seat: Player(p.name, p.stones) for seat, p in self.players.items()}
        return type(self)(players, self.turn, self.winners)


class Turn(TurnState[State, int]):
    """A turn in which all players add to the piles; a die decides how much is lost."""


def add(turn: Turn) -> None:
    """Add the stones, and lose some."""
    for given in turn.given(int):
        turn.state.players[given.seat].stones += given.order
    for seat, player in turn.state.players.items():
        player.stones -= turn.dice.at("turn 1", "loss", seat).below(1 if player.stones < 5 else 6)
    turn.state.winners = frozenset(s for s, p in turn.state.players.items() if p.stones >= MOST)
    for seat, player in turn.state.players.items():
        turn.events.append(Event(f"You have {player.stones} stones.", frozenset({seat})))


class Piles:
    """The functions of a ruleset that its cases need."""

    def phase(self, state: State) -> Phase:
        """Return the only phase."""
        return Phase("orders", "Orders", frozenset(state.players))

    def grammar(self, phase: Phase) -> Grammar:
        """Return the order language."""
        del phase
        return Grammar("", {})

    def render(self, order: int) -> str:
        """Return the text of an order."""
        return str(order)

    def validate(self, state: State, seat: Seat, orders: Sequence[int]) -> Sequence[Ruling]:
        """Reject orders that add too many."""
        del state, seat
        stands, falls = Ruling(RulingKind.ACCEPTED), Ruling(RulingKind.REJECTED, "Too many.")
        return [stands if order <= MOST else falls for order in orders]

    def defaults(self, state: State, seat: Seat, standing: Sequence[int]) -> Sequence[int]:
        """Return the standing orders, or else one stone."""
        del state, seat
        return standing or (1,)

    def resolve(
        self,
        state: State,
        orders: Mapping[Seat, Sequence[int]],
        missed: frozenset[Seat],
        dice: Dice,
    ) -> Resolution[State, int]:
        """Resolve a turn."""
        return Turn(state, orders, dice, missed).run((Step(add, "the only one"),))


RULES = cast("Ruleset[Any, Any]", Piles())


def read(grammar: Grammar, text: str) -> Sequence[int]:
    """Read numbers."""
    del grammar
    if not all(word.isdecimal() for word in text.split()):
        raise UserError(f"{text} is no number")
    return [int(word) for word in text.split()]


def set_pile(state: State, found: re.Match[str]) -> None:
    """Set how many stones a player has."""
    state.players[seat_of(state, found["name"])].stones = int(found["number"])


def rename(state: State, found: re.Match[str]) -> str:
    """Rename a player."""
    state.players[seat_of(state, found["old"])].name = found["new"]
    return f"{found['old']} is {found['new']}."


def lines(state: State) -> set[str]:
    """Return the piles."""
    return {f"{player.name} {player.stones}" for player in state.players.values()}


NOTATION: Final = Notation(
    changes=(
        (re.compile("(?P<name>[A-Z]+) (?P<number>[0-9]+)"), set_pile),
        (re.compile("(?P<old>[A-Z]+) = (?P<new>[A-Z]+)"), rename),
    ),
    lines=lines,
    forms="ANN 3 or ANN = BOB",
    example="ANN 3 would give her three",
)


class PileScenarios(NotationRunner[State]):
    """A runner of cases of piles."""

    keys = frozenset({"players", "winners"})
    notation = NOTATION

    def fits(self, case: Case) -> bool:
        """Return whether it has players."""
        return "players" in case

    def empty(self, case: Case) -> State:
        """Return players without a stone."""
        return State({Seat(n): Player(name) for n, name in enumerate(case["players"], 1)})


CASE: Final[Case] = {
    "players": ["ANN", "BOB"],
    "given": "ANN 1 # to begin with\n\nBOB 3",
    "orders": {"ANN": "1 2", "bob": "10"},
    "dice": {"loss|2": [4]},
    "rejected": {"BOB": ["10"]},
    "unparsed": ["one"],
    "then": "ANN 4\nBOB 9",
    "winners": ["BOB"],
    "tells": {"ANN": ["4 stones"]},
}


def differences(**changes: Any) -> list[str]:
    """Run the case with changes."""
    return list(PileScenarios().run({**CASE, **changes}, RULES, read))


def test_a_case_that_holds_has_no_differences() -> None:
    assert differences() == []


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"then": "ANN 4\nBOB 8"}, "BOB 8: found BOB 9"),
        ({"then": "BOB = CARL"}, "BOB = CARL: found BOB 9"),
        ({"winners": []}, "winners: ['BOB'], expected []"),
        ({"tells": {"BOB": ["4"]}}, "BOB reads 'You have 9 stones.', expected '4'"),
        ({"unparsed": ["one", "2"]}, "2: is read as an order, expected none"),
        ({"rejected": {"ANN": ["1"]}}, "ANN: rejected are [], expected ['1'] ([])"),
        ({"dice": {"turn 1|loss|2": [3]}}, "BOB 9: found BOB 10"),
        ({"orders": {}, "given": "BOB 7", "missed": ["BOB"]}, "BOB 9: found BOB 4"),
        ({"given": "BOB 3"}, "ANN 4: found ANN 3"),
    ],
)
def test_a_difference_from_the_case_is_reported(changes: Case, difference: str) -> None:
    assert difference in differences(**changes)


def test_orders_of_a_seat_that_missed_the_turn_are_standing_orders() -> None:
    assert differences(missed=["ANN"]) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"order": ""}, '"order" is not a key of a case; the keys are cite, dice, forecast'),
        ({"given": "ANN many"}, "ANN many: should be like ANN 3 or ANN = BOB."),
        ({"orders": {"ANN": "one"}}, "orders.ANN: one is no number"),
        ({"orders": {"ANN": 1}}, "orders.ANN: should be text"),
        ({"orders": {"CARL": "1"}}, "orders: 'CARL' is not one of the players"),
        ({"rejected": {"CARL": []}}, "rejected: 'CARL' is not one of the players"),
        ({"dice": {"loss|2": 4}}, 'dice: "loss|2" should be a list of whole numbers'),
        ({"unparsed": "one"}, "unparsed: should be a list of texts"),
    ],
)
def test_a_fault_of_a_case_is_reported_with_its_place(changes: Case, fault: str) -> None:
    with pytest.raises(UserError) as error:
        differences(**changes)
    assert str(error.value).startswith(fault)


def test_a_correction_changes_a_copy_and_returns_its_effect() -> None:
    before = State({Seat(1): Player("ANN", 2)})
    after, effect = NOTATION.correct(before, "ANN  5 # more\nANN = EVE")
    assert (lines(before), lines(after)) == ({"ANN 2"}, {"EVE 5"})
    assert effect == "Now: ANN 5. Before: ANN 2.\nANN is EVE. Before: ANN 5."


def test_a_correction_without_a_change_says_so() -> None:
    _, effect = NOTATION.correct(State({Seat(1): Player("ANN", 2)}), "ANN 2")
    assert effect == "Now: ANN 2. That is so already."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("# nothing", "There is no line; ANN 3 would give her three."),
        ("ANN many", "ANN many: should be like ANN 3 or ANN = BOB."),
        ("EVE 3", "EVE is none of the players."),
    ],
)
def test_an_impossible_correction_is_answered(text: str, answer: str) -> None:
    with pytest.raises(UserError) as error:
        NOTATION.correct(State({Seat(1): Player("ANN", 2)}), text)
    assert str(error.value) == answer


class Sums(ScenarioRunner[State]):
    """A runner of cases that are not lines: the numbers of stones before and after."""

    keys = frozenset({"stones"})

    def fits(self, case: Case) -> bool:
        """Return whether stones are counted."""
        return "stones" in case

    def begin(self, case: Case) -> State:
        """Return one player with all the stones."""
        return State({Seat(1): Player("ANN", case["stones"])})

    def differences(self, case: Case, before: State, after: State, game: Game) -> Iterator[str]:
        """Compare what was added."""
        del game
        added = after.players[Seat(1)].stones - before.players[Seat(1)].stones
        if added != case["then"]:
            yield f"{added} added, expected {case['then']}"


def test_a_game_can_write_its_cases_in_another_way() -> None:
    case = {"stones": 1, "orders": {"ANN": "2"}, "then": 2}
    assert list(Sums().run(case, RULES, read)) == []
    assert list(Sums().run({**case, "then": 3}, RULES, read)) == ["2 added, expected 3"]


@pytest.mark.parametrize(
    ("news", "wanted"),
    [
        ({"tells": {"ANN": ["You have 3"]}, "untold": {"ANN": ["4"]}}, []),
        ({"tells": {"ANN": ["4"]}}, ["ANN reads 'You have 3 stones.', expected '4'"]),
        ({"untold": ["3", "4"]}, ["ANN must not read '3': 'You have 3 stones.'"]),
        ({"news": {"ANN": ["You have 3 stones."]}, "log": {"ANN": []}}, []),
        ({"news": {"ANN": []}}, ["the news of ANN: ['You have 3 stones.'], expected []"]),
        ({"log": {"ANN": ["3"]}}, ["the log of ANN: [], expected ['3']"]),
    ],
)
def test_a_case_compares_the_events_for_each_player(news: Case, wanted: list[str]) -> None:
    case = {"stones": 1, "orders": {"ANN": "2"}, "then": 2}
    assert list(Sums().run({**case, **news}, RULES, read)) == wanted

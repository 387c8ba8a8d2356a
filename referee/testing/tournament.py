"""Tournaments: the robots of a ruleset play many games, strength against strength.

Each pair of games has the same seed and the same players. In the first, the seats in odd places
play better, in the second those in even places. So places and characters are equal for both.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import product
from time import process_time
from typing import Any, Final

from referee.errors import Finding, NotFound
from referee.rules.dice import Dice
from referee.rules.extras import Strength, extras_of
from referee.rules.robots import robot_orders
from referee.rules.ruleset import Ruleset, Seat
from referee.testing.casts.cast import Contest
from referee.testing.casts.installed import cast_of
from referee.testing.golden import placed
from referee.testing.probe import Noting, tried_rulesets

Rules = Ruleset[Any, Any]


@dataclass(frozen=True, slots=True)
class Pairing:
    """The two strengths of a game; the first should win."""

    better: Strength
    worse: Strength


PAIRINGS: Final = (
    Pairing(Strength.HARD, Strength.NORMAL),
    Pairing(Strength.NORMAL, Strength.EASY),
)


class Result(Enum):
    """The result of a game for the better strength."""

    WON = "won"
    TIED = "tied"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played, with the CPU time that it took, in seconds."""

    pairing: Pairing
    result: Result
    robot_turns: int
    robot_seconds: float
    turns: int
    turn_seconds: float


@dataclass(frozen=True, slots=True)
class Score:
    """The games of a pairing, and the CPU time of a robot's turn in turns of the game.

    A robot's turn is its orders with their check. A turn of the game is its resolution and the
    reports of all seats.
    """

    pairing: Pairing
    won: int
    tied: int
    lost: int
    cost: float

    @property
    def share(self) -> float:
        """The share of games that the better strength won; a tie counts half."""
        return (self.won + self.tied / 2) / (self.won + self.tied + self.lost)

    def __str__(self) -> str:
        """Return the row of the table."""
        names = f"{self.pairing.better.value} against {self.pairing.worse.value}"
        counts = f"{self.won} won, {self.lost} lost, {self.tied} tied"
        cost = f"a robot's turn takes {self.cost:.2f} of a game's turn"
        return f"{names}: {self.share:.1%} ({counts}); {cost}"


def tournament(key: str, games: int, processes: int) -> list[Score]:
    """Play *games* games of each pairing, and return the scores.

    Raises NotFound if the ruleset has no robot, or its cast no contest, and PluginError if one of
    their functions fails.
    """
    _contest(key)
    wanted = [*product(PAIRINGS, range(games))]
    with ProcessPoolExecutor(processes) as pool:
        return [*scores(pool.map(partial(_play_installed, key), wanted))]


def scores(played: Iterable[Game]) -> Iterator[Score]:
    """Yield the score of each pairing in these games."""
    games = [*played]
    for pairing in PAIRINGS:
        own = [game for game in games if game.pairing == pairing]
        count = Counter(game.result for game in own)
        won, tied, lost = (count[result] for result in Result)
        if own:
            yield Score(pairing, won, tied, lost, _cost(own))


def _cost(games: list[Game]) -> float:
    robot = sum(g.robot_seconds for g in games) / max(1, sum(g.robot_turns for g in games))
    turn = sum(g.turn_seconds for g in games) / max(1, sum(g.turns for g in games))
    return robot / turn if turn else 0.0


def _contest(key: str) -> tuple[Rules, Contest]:
    rules, contest = tried_rulesets()[key], cast_of(key).contest
    if extras_of(rules).robot is None or contest is None or not contest.lineups:
        what = f"tournament of {key}: there is no robot, or no contest with players"
        remedy = "give the ruleset a robot in its extras, and its cast a contest"
        raise NotFound(Finding(what, remedy))
    return rules, contest


def _play_installed(key: str, wanted: tuple[Pairing, int]) -> Game:
    rules, contest = _contest(key)
    with placed(f"tournament of {key}: game {wanted[1] + 1}"):
        return play(rules, contest, *wanted)


def play(rules: Rules, contest: Contest, pairing: Pairing, number: int) -> Game:
    """Play the game of that number, from 0, and return its result."""
    pair, swapped = divmod(number, 2)
    dice = Dice(f"tournament {pair}".encode())
    lineup = contest.lineups[pair % len(contest.lineups)]
    strengths = {
        player.seat: pairing.better if place % 2 == swapped else pairing.worse
        for place, player in enumerate(lineup)
    }
    state = rules.setup(lineup, rules.info.chosen(contest.options), dice)
    robot_turns, robot_seconds, turns, turn_seconds = 0, 0.0, 0, 0.0
    while turns < contest.turns and rules.verdict(state) is None:
        began, own = process_time(), dice.at("robot", turns + 1)
        sheets = {
            seat: robot_orders(rules, state, seat, strengths[seat], own)
            for seat in sorted(rules.phase(state).awaiting)
        }
        ordered = process_time()
        state = rules.resolve(state, sheets, frozenset(), dice).state
        for seat in strengths:
            rules.view(state, seat, "")
        robot_turns, robot_seconds = robot_turns + len(sheets), robot_seconds + ordered - began
        turns, turn_seconds = turns + 1, turn_seconds + process_time() - ordered
    won = {strengths[seat] for seat in _winners(rules, contest, state, strengths)}
    return Game(pairing, _result(pairing, won), robot_turns, robot_seconds, turns, turn_seconds)


def _winners(
    rules: Rules, contest: Contest, state: Any, strengths: Mapping[Seat, Strength]
) -> frozenset[Seat]:
    """Return the winners by the rules, or those with the best score if the game goes on."""
    verdict = rules.verdict(state)
    if verdict is not None:
        return verdict.winners
    if contest.score is None:
        return frozenset()
    with Noting(f"the score of the contest of {rules.info.key}", rules):
        points = {seat: contest.score(state, seat) for seat in strengths}
    return frozenset(seat for seat in points if points[seat] == max(points.values()))


def _result(pairing: Pairing, won: set[Strength]) -> Result:
    if len(won) != 1:
        return Result.TIED
    return Result.WON if pairing.better in won else Result.LOST

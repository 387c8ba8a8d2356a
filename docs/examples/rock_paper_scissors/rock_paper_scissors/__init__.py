"""Rock Paper Scissors by email: a whole game, as small as possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.rules import ruleset as r
from referee.rules.dice import Dice
from referee.rules.order_table import OrderTable
from referee.rules.simple import SimpleRuleset
from referee.rules.views import Prose, Table, View
from referee.rules.wording import accepted, sentence, warned
from rock_paper_scissors.extras import EXTRAS

BEATS: Final = {"ROCK": "SCISSORS", "SCISSORS": "PAPER", "PAPER": "ROCK"}
GRAMMAR: Final = """\
// what you show; of several, the last counts         ROCK
order: throw
throw: HAND
HAND: "ROCK"i | "PAPER"i | "SCISSORS"i
"""
ORDERS: Final = OrderTable["Throw"]()
Sheets = Mapping[r.Seat, Sequence["Throw"]]


@dataclass(frozen=True)
class Player:
    """A player, and the number of rounds they have won."""

    name: str
    won: int = 0


@dataclass(frozen=True)
class State:
    """A game before the orders of a round; the first player to win *needed* rounds wins."""

    round: int
    players: dict[r.Seat, Player]
    needed: int


@ORDERS.order("{hand}", "You show {hand:lower}.")
@dataclass(frozen=True)
class Throw:
    """The order to show a hand."""

    hand: str


class RockPaperScissors(SimpleRuleset[State, Throw]):
    """The functions that this game defines or overrides."""

    info = r.RulesetInfo(
        key="rps", prefix="RPS", title="Rock Paper Scissors", edition="1", schema=1,
        fewest_seats=2, most_seats=2,
        options=(r.Option("wins", int, 2, "So many rounds win the game.", 1, 9),),
        choices=(), names=r.NameRule("[A-Z]{2,12}", "2 to 12 letters", stock=("LEFT", "RIGHT")),
    )  # fmt: skip
    state_type = State
    extras = EXTRAS
    render = staticmethod(ORDERS.render)

    def setup(
        self, seats: Sequence[r.SignUp], options: Mapping[str, int | str | bool], dice: Dice
    ) -> State:
        return State(1, {each.seat: Player(each.name) for each in seats}, int(options["wins"]))

    def phase(self, state: State) -> r.Phase:
        return r.Phase("orders", f"Round {state.round}", frozenset(state.players))

    def grammar(self, phase: r.Phase) -> r.Grammar:
        return r.Grammar(GRAMMAR, ORDERS.rules, {"HAND": str.upper})

    def explain(self, state: State, seat: r.Seat, order: Throw) -> str:
        return ORDERS.explain(order, str)

    def validate(self, state: State, seat: r.Seat, orders: Sequence[Throw]) -> list[r.Ruling]:
        early = warned("only the last hand of a sheet is shown")
        return [early] * (len(orders) - 1) + [accepted()] * bool(orders)

    def forecast(self, state: State, seat: r.Seat, orders: Sequence[Throw]) -> View:
        return tuple(Prose(f"{each.hand} beats {BEATS[each.hand]}.") for each in orders[-1:])

    def resolve(
        self, state: State, orders: Sheets, defaulted: frozenset[r.Seat], dice: Dice
    ) -> r.Resolution[State, Throw]:
        shown = {seat: sheet[-1].hand for seat, sheet in orders.items() if sheet}
        winner = next((seat for seat in shown if _beats_all(shown, seat)), None)
        players = dict(state.players)
        if winner:
            players[winner] = replace(players[winner], won=players[winner].won + 1)
        hands = sorted(f"{p.name}: {shown.get(s, 'nothing')}." for s, p in players.items())
        result = f"{players[winner].name} wins the round." if winner else "Nobody wins the round."
        return r.Resolution(
            State(state.round + 1, players, state.needed),
            {seat: _outcomes(sheet) for seat, sheet in orders.items()},
            (r.Event(" ".join((*hands, result)), audience=None),),
        )

    def view(self, state: State, seat: r.Seat | None, deadline: str) -> View:
        rows = tuple((player.name, str(player.won)) for player in state.players.values())
        return (Table(("Player", "Rounds won"), rows),)

    def verdict(self, state: State) -> r.Verdict | None:
        winners = {seat for seat, each in state.players.items() if each.won >= state.needed}
        return r.Verdict(frozenset(winners), self.view(state, None, "")) if winners else None


def _beats_all(shown: Mapping[r.Seat, str], seat: r.Seat) -> bool:
    """Return whether a hand beats all other hands that are shown, if any."""
    return all(BEATS[shown[seat]] == shown[other] for other in shown if other != seat)


def _outcomes(sheet: Sequence[Throw]) -> tuple[tuple[Throw, r.Outcome], ...]:
    early, last = r.Outcome(False, sentence("you showed a later hand")), r.Outcome(True)
    return tuple((each, early if at < len(sheet) else last) for at, each in enumerate(sheet, 1))


RULESET: Final[r.Ruleset[State, Throw]] = RockPaperScissors()

"""Sealed Auction by email: two phases, hidden purses, options and choices."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from referee.rules import ruleset as r
from referee.rules.dice import Dice
from referee.rules.extras import Extras, Strength
from referee.rules.order_table import OrderTable
from referee.rules.simple import SimpleRuleset
from referee.rules.views import Prose, Table, View
from referee.rules.wording import accepted, listed, rejected, sentence, warned

LOTS: Final = "ABCDEFGH"
BIDDING: Final = """\
// what you bid for the right to take a lot        BID 3
order: bid | quit
bid: "BID"i " " NUMBER
// leave the game                                  QUIT
quit: "QUIT"i
NUMBER: /[0-9]{1,3}/
"""
PICKING: Final = """\
// the lot that you take                           TAKE C
order: take
take: "TAKE"i LOT
LOT: /[A-H]\\b/i
%ignore " "
"""
ORDERS: Final = OrderTable["Order"]()


class Order:
    """An order of any phase."""


@ORDERS.order("BID {number}", "You bid {number} gold.")
@dataclass(frozen=True)
class Bid(Order):
    """The order to bid gold."""

    number: int


@ORDERS.order("QUIT", "You leave the game.")
@dataclass(frozen=True)
class Quit(Order):
    """The order to leave the game."""


@ORDERS.order("TAKE {lot}", "You take lot {lot}.")
@dataclass(frozen=True)
class Take(Order):
    """The order to take a lot."""

    lot: str


@ORDERS.order("SPEECH\n{text}\nEND", "Everybody reads: {text}", rules={})
@dataclass(frozen=True)
class Speech(Order):
    """The order to say something to everybody."""

    text: str


BIDS: Final = r.Grammar(
    BIDDING, ORDERS.rules, {"NUMBER": int},
    examples=(r.Example("BID THREE", "A bid is a number: BID 3."),),
    joined=frozenset({"BID"}), leaving=frozenset({"quit"}),
    hints={"RAISE": "Bids are sealed, so nobody can raise: write BID 3."},
)  # fmt: skip
PICKS: Final = r.Grammar(
    PICKING, ORDERS.rules, {"LOT": str.upper},
    separator=r.Separator.LINES, blocks={"SPEECH": lambda lines: Speech(" ".join(lines))},
)  # fmt: skip


@dataclass(frozen=True)
class Player:
    """A player with the gold that only they see, their colour, and the lots they took."""

    name: str
    colour: str
    gold: int
    lots: str = ""

    @property
    def points(self) -> int:
        """The value of the lots."""
        return sum(LOTS.index(lot) + 1 for lot in self.lots)


@dataclass(frozen=True)
class State:
    """An auction before the orders of a phase; *buyer* picks if somebody has bought."""

    round: int
    players: dict[r.Seat, Player]
    lots: str
    is_open: bool
    buyer: r.Seat | None = None

    @property
    def bidders(self) -> frozenset[r.Seat]:
        """The players who still have gold."""
        return frozenset(seat for seat, player in self.players.items() if player.gold)


class SealedAuction(SimpleRuleset[State, Order]):
    """The functions that this game defines or overrides."""

    info = r.RulesetInfo(
        key="auction", prefix="SA", title="Sealed Auction", edition="1", schema=1,
        fewest_seats=2, most_seats=4,
        options=(
            r.Option("gold", int, 9, "How much gold everybody has at first.", 1, 99),
            r.Option("luck", int, 0, "How much more chance can add.", 0, 9),
            r.Option("lots", int, 2, "How many lots there are.", 1, len(LOTS)),
            r.Option(
                "table", str, "hidden", "Whether everybody sees all gold.",
                choices=("hidden", "open"),
            ),
        ),
        choices=(
            r.Option("colour", str, "", "The colour of your paddle.", choices=("red", "blue")),
        ),
        names=r.NameRule(
            "[A-Z]{2,12}", "2 to 12 letters", frozenset({"LOT"}), ("ALMA", "BRUNO", "CARL", "DORA")
        ),
        phases=("bids", "picks"),
    )  # fmt: skip
    state_type = State
    render = staticmethod(ORDERS.render)

    def setup(
        self, seats: Sequence[r.SignUp], options: Mapping[str, int | str | bool], dice: Dice
    ) -> State:
        gold, luck = int(options["gold"]), int(options["luck"]) + 1
        players = {
            each.seat: Player(
                each.name,
                next(iter(each.choices.get("colour", ())), "white"),
                gold + dice.at("luck", each.seat).below(luck),
            )
            for each in seats
        }
        return State(1, players, LOTS[: int(options["lots"])], options["table"] == "open")

    def phase(self, state: State) -> r.Phase:
        out = frozenset(state.players) - state.bidders - {state.buyer}
        if state.buyer is not None:
            # Nobody else knows who has bought before the lot is taken.
            buyer, name = frozenset({state.buyer}), f"Round {state.round}, pick"
            return r.Phase("picks", name, buyer, secret=True, out=out, round=state.round)
        name = f"Round {state.round}, bids"
        return r.Phase("bids", name, state.bidders, out=out, round=state.round)

    def grammar(self, phase: r.Phase) -> r.Grammar:
        return BIDS if phase.key == "bids" else PICKS

    def explain(self, state: State, seat: r.Seat, order: Order) -> str:
        return ORDERS.explain(order, str)

    def validate(self, state: State, seat: r.Seat, orders: Sequence[Order]) -> list[r.Ruling]:
        return [self._ruled(state, seat, order) for order in orders]

    def _ruled(self, state: State, seat: r.Seat, order: Order) -> r.Ruling:
        match order:
            case Bid(number) if number > (have := state.players[seat].gold):
                return rejected(f"you have {have} gold")
            case Bid(0):
                return warned("a bid of 0 buys nothing")
            case Take() if reason := _objection(state, seat, order):
                return rejected(reason)
        return accepted()

    def resolve(
        self, state: State, orders: Mapping[r.Seat, Sequence[Order]],
        defaulted: frozenset[r.Seat], dice: Dice,
    ) -> r.Resolution[State, Order]:  # fmt: skip
        outcomes = {
            seat: tuple((order, self._outcome(state, seat, order)) for order in sheet)
            for seat, sheet in orders.items()
        }
        done = {
            seat: [order for order, outcome in rows if outcome.done]
            for seat, rows in outcomes.items()
        }
        after, events = (_bid if state.buyer is None else _pick)(state, done)
        return r.Resolution(after, outcomes, tuple(events))

    def _outcome(self, state: State, seat: r.Seat, order: Order) -> r.Outcome:
        ruling = self._ruled(state, seat, order)
        return r.Outcome(ruling.kind is not r.RulingKind.REJECTED, ruling.reason)

    def view(self, state: State, seat: r.Seat | None, deadline: str) -> View:
        rows = tuple(
            (each.name, each.colour, str(each.gold) if seat == own or state.is_open else "?",
             each.lots or "-")
            for own, each in sorted(state.players.items(), key=lambda pair: pair[1].name)
        )  # fmt: skip
        lots = Prose(f"Lots: {listed(state.lots, 'none')}.")
        return (lots, Table(("Player", "Paddle", "Gold", "Lots"), rows))

    def guide(self, state: State, seat: r.Seat) -> r.Guide:
        if state.buyer is not None:
            return r.Guide()
        half = state.players[seat].gold // 2
        throws = (
            r.Suggestion((Bid(half),), "You keep half of your gold."),
            r.Suggestion((Bid(1),), "It wins if nobody else bids."),
        )
        position = f"You have {state.players[seat].gold} gold."
        return r.Guide(position, throws, ("BIDS",), alternatives=True)

    def verdict(self, state: State) -> r.Verdict | None:
        if state.buyer is not None or (state.lots and len(state.bidders) > 1):
            return None
        best = max(each.points for each in state.players.values())
        winners = {seat for seat, each in state.players.items() if each.points == best}
        return r.Verdict(frozenset(winners), self.view(replace(state, is_open=True), None, ""))


def _objection(state: State, seat: r.Seat, order: Take) -> str:
    if seat != state.buyer:
        return "you have bought nothing"
    return "" if order.lot in state.lots else f"there is no lot {order.lot}"


def _bid(state: State, done: Mapping[r.Seat, Sequence[Order]]) -> tuple[State, Iterable[r.Event]]:
    """Sell to the highest bid, or withdraw the least lot (rule 2.2)."""
    players, bids, events = dict(state.players), Counter[r.Seat](), list[r.Event]()
    for seat, sheet in sorted(done.items(), key=lambda each: players[each[0]].name):
        offers = [order.number for order in sheet if isinstance(order, Bid)]
        bids[seat] = offers[-1] if offers else 0
        if Quit() in sheet:
            players[seat] = replace(players[seat], gold=0)
            bids[seat] = 0
            events.append(r.Event(f"{players[seat].name} leaves the game.", None, r.Weight.LOSS))
    best = max(bids.values(), default=0)
    winners = [seat for seat, number in bids.items() if number == best and best]
    if len(winners) != 1:
        lots = state.lots[1:]
        events.append(r.Event(f"Nobody buys, and lot {state.lots[0]} is withdrawn.", None))
        return replace(state, round=state.round + 1, players=players, lots=lots), events
    (buyer,) = winners
    players[buyer] = replace(players[buyer], gold=players[buyer].gold - best)
    events.append(r.Event(sentence(f"you buy for {best} gold"), frozenset({buyer})))
    return replace(state, players=players, buyer=buyer), events


def _pick(state: State, done: Mapping[r.Seat, Sequence[Order]]) -> tuple[State, Iterable[r.Event]]:
    """Move the lot of the last order, or the best one, to the buyer (rule 3.1)."""
    assert state.buyer is not None
    sheet, player = done.get(state.buyer, ()), state.players[state.buyer]
    taken = [order.lot for order in sheet if isinstance(order, Take)]
    lot = taken[-1] if taken else state.lots[-1]
    speeches = [each.text for each in sheet if isinstance(each, Speech)]
    events = [
        r.Event(f"{player.name} takes lot {lot}.", None),
        *(r.Event(f"{player.name} says: {text}", None, r.Weight.DETAIL, heading="SPEECHES")
          for text in speeches),
    ]  # fmt: skip
    players = {**state.players, state.buyer: replace(player, lots=player.lots + lot)}
    lots = state.lots.replace(lot, "")
    return replace(state, round=state.round + 1, players=players, lots=lots, buyer=None), events


def robot(state: State, seat: r.Seat, strength: Strength, dice: Dice) -> list[Order]:
    """Return a bid of a part of the gold, the stronger the nearer to all for the last lots."""
    if state.buyer is not None:
        return [Take(state.lots[-1])] if seat == state.buyer else []
    gold = state.players[seat].gold
    part = {Strength.EASY: 4, Strength.NORMAL: 2, Strength.HARD: 1}[strength]
    return [Bid(min(gold, gold // part + dice.below(2)))] if gold else []


SealedAuction.extras = Extras(rulebook="sealed_auction:rulebook.md", robot=robot)
RULESET: Final[r.Ruleset[State, Any]] = SealedAuction()

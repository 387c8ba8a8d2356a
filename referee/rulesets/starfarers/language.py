"""The order language of Starfarers: its grammar, and the advice and words for players."""

from typing import Final

from referee.rules.order_table import key_of
from referee.rules.ruleset import Example, Grammar, Seat
from referee.rules.wording import counted, listed
from referee.rulesets.starfarers.goods import Goods, in_words, of
from referee.rulesets.starfarers.orders import ORDERS, BaseKind, Enhancement, Order, Target
from referee.rulesets.starfarers.state import DIRECTIONS, State

EXAMPLES: Final = (
    Example("S3", "Expected an action after the ship. S3E2 explores, S3H14 moves to hex 14."),
    Example("S3E", "Expected a direction from 1 to 6 after E. S3E2 explores to the east."),
    Example("S3J", "Expected a hex or mothership after J. S3JH40 jumps to hex 40, S3JM2 to M2."),
    Example(
        "S3A", "Expected a target after A. S3AB12 attacks base 12, S3AS9 ship 9, S3AH31 hex 31."
    ),
    Example("S3W", "Expected B or S after W. S3WB takes a base, S3WS destroys a ship."),
    Example("S3I", "Expected a number and cards after I. S3I1:2O1G hires one mercenary."),
    Example("S3I2", "Expected cards after the number. S3I2:3O3G pays six."),
    Example("S3T", "Expected cards after T. S3T2F>2C swaps two food for two carbon."),
    Example("S3T2F", "Expected > and the cards you want. S3T2F>2C swaps two food for two carbon."),
    Example("H14", "Expected B after the hex. H14BC builds a colony."),
    Example(
        "H14B",
        "Expected T, C or P after B. H14BT builds a trade port, H14BC a colony, H14BP a spaceport.",
    ),
    Example("B9", "Expected an action after the base. B9R builds a ring, B9BS a starship."),
    Example(
        "E", "Expected a number and an enhancement after E. E1B builds a booster, E2C two cannons."
    ),
    Example("P2", "Expected H, P, L or D after the player. P2H is hostile, P2P peaceful."),
    Example("X2", "Expected cards after the player. X2:2O>1U offers two ore for one fuel."),
)

HINTS: Final = {
    "ALLY": "P2L offers player 2 an alliance.",
    "ATTACK": "S3AB12 attacks base 12, S3AS9 ship 9, S3AH31 hex 31.",
    "BUILD": "H14BC builds a colony on hex 14, B9BS a starship at base 9.",
    "EXPLORE": "S3E2 explores to the east with ship 3.",
    "JUMP": "S3JH40 jumps to hex 40, S3JM2 to mothership 2.",
    "MOVE": "S3H14 moves ship 3 to hex 14.",
    "OFFER": "X2:2O>1U offers player 2 two ore for one fuel.",
    "TELEPORT": "S3JH40 jumps to hex 40, S3JM2 to mothership 2.",
    "TRADE": "X2:2O>1U offers player 2 two ore for one fuel.",
    "TRAVEL": "S3H14H17 moves ship 3 through hex 14 to hex 17.",
}
"""Words that players type instead of an order, each with one that it may mean."""

GRAMMAR: Final = Grammar(
    source="starfarers.lark",
    orders={
        **ORDERS.rules,
        "enhancement": lambda number, part: (number, part),
        "goods": lambda *cards: sum(cards, Goods()),
        "card": lambda number, letter: of(letter, number),
    },
    terminals={
        "NUMBER": int,
        "SHIP": key_of,
        "BASE": key_of,
        "HEX": key_of,
        "MOTHERSHIP": key_of,
        "PLAYER": key_of,
        "DIRECTION": int,
        "RESOURCE": str.upper,
        "KIND": lambda text: BaseKind(text.upper()),
        "CORNER": str.lower,
        "PART": lambda text: Enhancement(text.upper()),
    },
    examples=EXAMPLES,
    leaving=frozenset({"resign"}),
    hints=HINTS,
)


def explain(state: State, seat: Seat, order: Order) -> str:
    """Return the meaning of *order* in one line. Uses only the player names of the state."""
    return ORDERS.explain(order, _Words(state, seat))


class _Words:
    """The words for the values of an order, in a sentence for one of the players."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._names = {int(other): player.name for other, player in state.players.items()}
        self._own = int(seat)

    def player(self, number: int) -> str:
        return self._names.get(number, f"player {number}")

    def place(self, kind: Target, number: int) -> str:
        if kind is not Target.MOTHERSHIP:
            return f"{kind.value}{number}"
        own = number == self._own
        return "your mothership" if own else f"the mothership of {self.player(number)}"

    def target(self, kind: Target, number: int) -> str:
        before = {Target.BASE: "base ", Target.SHIP: "ship ", Target.HEX: "pirates or aliens at "}
        return before.get(kind, "") + self.place(kind, number)

    def direction(self, number: int) -> str:
        return DIRECTIONS[number - 1]

    def way(self, hexes: tuple[int, ...]) -> str:
        return ", then ".join(f"H{number}" for number in hexes)

    def mercenaries(self, number: int) -> str:
        return "a mercenary" if number == 1 else f"{number} mercenaries"

    def cards(self, goods: Goods) -> str:
        return in_words(goods)

    def site(self, hexagon: int, corner: str) -> str:
        return f"in orbit at corner {corner} of H{hexagon}" if corner else f"on H{hexagon}"

    def parts(self, parts: tuple[tuple[int, Enhancement], ...]) -> str:
        names = {"C": "cannon", "B": "booster", "R": "freight ring"}
        return listed([counted(number, names[part.value]) for number, part in parts])

"""The explanation of an order, in one line of plain English."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.rules.ruleset import Seat
from referee.rules.wording import counted, listed
from referee.rulesets.starfarers.goods import in_words
from referee.rulesets.starfarers.orders import (
    Attack,
    Avoid,
    Barter,
    BuildBase,
    BuildRing,
    BuildShip,
    EncounterAnswer,
    Enhance,
    Explore,
    Hire,
    Offer,
    Order,
    PortTrade,
    Resign,
    SetAlliance,
    SetStance,
    StandBack,
    Target,
    Teleport,
    Travel,
    Want,
)
from referee.rulesets.starfarers.state import DIRECTIONS, State


class _Names:
    """The names of players in sentences for one of them."""

    def __init__(self, state: State, seat: Seat) -> None:
        self._names = {int(other): player.name for other, player in state.players.items()}
        self._own = int(seat)

    def player(self, number: int) -> str:
        """Return the name of a player."""
        return self._names.get(number, f"player {number}")

    def mothership(self, number: int) -> str:
        """Return the words for a player's mothership."""
        own = number == self._own
        return "your mothership" if own else f"the mothership of {self.player(number)}"

    def target(self, target: Target, number: int) -> str:
        """Return the words for the target of an attack."""
        if target is Target.MOTHERSHIP:
            return self.mothership(number)
        return {Target.BASE: "base B{}", Target.SHIP: "ship S{}"}.get(
            target, "pirates or aliens at H{}"
        ).format(number)


def explain(state: State, seat: Seat, order: Order) -> str:
    """Return the meaning of *order* in one line. Uses only the player names of the state."""
    return _SENTENCES[type(order)](order, _Names(state, seat))


def _explore(order: Explore, _: _Names) -> str:
    return f"S{order.ship} explores to the {DIRECTIONS[order.direction - 1]}."


def _travel(order: Travel, _: _Names) -> str:
    return f"S{order.ship} moves to {', then '.join(f'H{number}' for number in order.hexes)}."


def _teleport(order: Teleport, names: _Names) -> str:
    own = order.to is Target.MOTHERSHIP
    where = names.mothership(order.number) if own else f"H{order.number}"
    return f"S{order.ship} teleports to {where}."


def _answer(order: EncounterAnswer, _: _Names) -> str:
    payment = f"pays {in_words(order.payment)}" if order.payment else ""
    how = payment or ("accepts" if order.yes else "refuses")
    return f"S{order.ship} {how} if it meets somebody."


def _hire(order: Hire, _: _Names) -> str:
    hired = "a mercenary" if order.number == 1 else f"{order.number} mercenaries"
    return f"S{order.ship} hires {hired} for {in_words(order.payment)}."


def _build_base(order: BuildBase, _: _Names) -> str:
    orbit = f"in orbit at corner {order.corner} of H{order.hex}"
    return f"A {order.kind.called} is built {orbit if order.corner else f'on H{order.hex}'}."


def _build_ship(order: BuildShip, names: _Names) -> str:
    own = order.at is Target.MOTHERSHIP
    where = names.mothership(order.number) if own else f"B{order.number}"
    return f"A starship is built at {where}."


def _enhance(order: Enhance, _: _Names) -> str:
    words = {"C": "cannon", "B": "booster", "R": "freight ring"}
    return f"You build {listed([counted(n, words[part.value]) for n, part in order.parts])}."


def _stance(order: SetStance, names: _Names) -> str:
    how = "hostile" if order.hostile else "peaceful"
    return f"You are {how} to {names.player(order.player)} from the next round."


def _alliance(order: SetAlliance, names: _Names) -> str:
    if order.yes:
        return f"You offer {names.player(order.player)} an alliance, or accept it."
    return f"You end the alliance with {names.player(order.player)}."


def _swap(order: Barter | PortTrade | Offer) -> str:
    return f"{in_words(order.give)} for {in_words(order.take)}"


_SENTENCES: Final[Mapping[type[Order], Callable[[Any, _Names], str]]] = {
    Explore: _explore,
    Travel: _travel,
    Teleport: _teleport,
    Attack: lambda o, names: f"S{o.ship} attacks {names.target(o.target, o.number)}.",
    Want: lambda o, _: (
        f"If S{o.ship} wins, {'a base is taken' if o.base else 'a ship is destroyed'}."
    ),
    StandBack: lambda o, _: f"S{o.ship} does not support other ships this round.",
    Avoid: lambda o, _: f"S{o.ship} stops before it enters an enemy's range.",
    EncounterAnswer: _answer,
    Hire: _hire,
    Barter: lambda o, _: f"S{o.ship} swaps {_swap(o)} with a trader.",
    PortTrade: lambda o, _: f"B{o.base} swaps {_swap(o)}.",
    Offer: lambda o, names: f"You offer {names.player(o.player)} {_swap(o)}.",
    BuildBase: _build_base,
    BuildRing: lambda o, _: f"B{o.base} builds its ring and becomes a spaceport.",
    BuildShip: _build_ship,
    Enhance: _enhance,
    SetStance: _stance,
    SetAlliance: _alliance,
    Resign: lambda _order, _names: "You leave the game.",
}

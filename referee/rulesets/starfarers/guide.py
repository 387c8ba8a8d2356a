"""The guide for newcomers: ships, cards and the way out, and orders with the reasons."""

from collections.abc import Iterator

from referee.rules.ruleset import Guide, Seat, Suggestion
from referee.rules.wording import counted, listed
from referee.rulesets.starfarers.economy import cost_of
from referee.rulesets.starfarers.galaxies import ways
from referee.rulesets.starfarers.goods import in_words
from referee.rulesets.starfarers.orders import (
    Avoid,
    BaseKind,
    BuildBase,
    BuildShip,
    EncounterAnswer,
    Enhance,
    Enhancement,
    Explore,
    Order,
    SetStance,
    StandBack,
    Target,
    Travel,
)
from referee.rulesets.starfarers.parts import ACCEPTED
from referee.rulesets.starfarers.sight import table_of
from referee.rulesets.starfarers.state import DIRECTIONS, Ship, State
from referee.rulesets.starfarers.turn import TITLES, phase


def guide(state: State, seat: Seat) -> Guide:
    """Return the guide of a player, from what they see."""
    seen, allowed = table_of(state, seat), ACCEPTED[state.stage]
    orders = (*_ships(seen, seat), *_building(seen, seat), *_others(seen, seat))
    suggestions = tuple(Suggestion((o,), why) for o, why in orders if isinstance(o, allowed))
    return Guide(_position(seen, seat), suggestions, ("START", "TRAVEL", "BUILDING"))


def _position(state: State, seat: Seat) -> str:
    player = state.players[seat]
    fleet = [f"S{ship.number} at H{ship.hex}" for ship in state.fleet(seat)]
    hexes = sum(place.galaxy == seat for place in state.hexes.values())
    turn = "" if seat in phase(state).awaiting else " It is not your turn yet."
    return (
        f"You are {player.name}, player {seat}. Your mothership is at H{int(seat)}, the middle of "
        f"your galaxy, of which {counted(hexes, 'hex').replace('hexs', 'hexes')} "
        f"{'is' if hexes == 1 else 'are'} explored. Your starships: {listed(fleet, 'none')}. You "
        f"hold {in_words(player.hand)}. Now: {TITLES[state.stage].lower()}.{turn}"
    )


def _ships(state: State, seat: Seat) -> Iterator[tuple[Order, str]]:
    fleet = [ship for ship in state.fleet(seat) if not ship.mercenary]
    for ship in fleet:
        yield from _moves(state, ship)
    for ship in fleet:
        why = "If your ship meets somebody who wants something, it agrees."
        yield EncounterAnswer(ship.number, yes=True), why
        why = "The ship stops before the range of an enemy, so it starts no battle."
        yield Avoid(ship.number), why
        why = "It does not support your other ships in battles this round."
        yield StandBack(ship.number), why


def _moves(state: State, ship: Ship) -> Iterator[tuple[Order, str]]:
    """Yield exploring to each side that is unknown, and moves to each hex next door."""
    there = dict(ways(state, state.hexes[ship.hex]))
    for direction, name in enumerate(DIRECTIONS, 1):
        if direction not in there:
            why = f"It draws the tile to the {name} and goes there; a planet is mined at once."
            yield Explore(ship.number, direction), why
    for number in sorted(there.values()):
        yield Travel(ship.number, (number,)), f"H{number} is next to H{ship.hex}."


def _building(state: State, seat: Seat) -> Iterator[tuple[Order, str]]:
    hand = state.players[seat].hand
    for number in sorted({ship.hex for ship in state.fleet(seat)}):
        for kind in BaseKind:
            base = BuildBase(number, kind)
            if hand.covers(cost_of(state, base)):
                why = "You win with a trade port, a colony and a spaceport in every galaxy."
                yield base, why
    for part in Enhancement:
        why = f"Your prototype gets {part.called}, which all your ships then have."
        yield Enhance(((1, part),)), why
    yield BuildShip(Target.MOTHERSHIP, int(seat)), "A second ship explores twice as fast."


def _others(state: State, seat: Seat) -> Iterator[tuple[Order, str]]:
    for other, player in state.players.items():
        if other != seat:
            why = f"From the next round your ships fight those of {player.name}."
            yield SetStance(int(other), hostile=True), why

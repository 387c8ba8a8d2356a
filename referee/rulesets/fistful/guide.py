"""The guide for newcomers: homeworlds to choose, then orders for colonies and fleets."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from referee.rules.ruleset import Guide, Seat, Suggestion
from referee.rules.wording import counted, listed
from referee.rulesets.fistful import homes
from referee.rulesets.fistful.moving import objection
from referee.rulesets.fistful.orders import (
    Build,
    ChooseHome,
    Defend,
    Fortify,
    Grow,
    Land,
    Move,
    Recon,
    Ships,
    Transfer,
    Withdraw,
)
from referee.rulesets.fistful.planning import points
from referee.rulesets.fistful.state import LETTERS, LINE, Fleet, HomePick, Stage, Star, State

_CHAPTERS: Final = ("START", "ORDERS", "PRODUCTION")
_MOST: Final = 3


def guide(state: State, seat: Seat) -> Guide:
    """Return the guide of a player, from their own side and the stars."""
    if state.stage is Stage.HOMES:
        return Guide(_choice(state, seat), (*_homes(state, seat),), _CHAPTERS, alternatives=True)
    suggestions = (*_production(state, seat), *_fleets(state, seat))
    return Guide(_position(state, seat), suggestions, _CHAPTERS)


def _choice(state: State, seat: Seat) -> str:
    enemy = state.players[state.other(seat)].name
    begin = f"You are {state.players[seat].name}, and {enemy} is your enemy. "
    if seat not in homes.choosers(state):
        return f"{begin}{enemy} chooses a homeworld now; you have no ships or colonies yet."
    both = len(homes.zones(state, seat)) > 1 and state.rules.home_pick is HomePick.SEALED
    stars = "a homeworld in each half of the map" if both else "your homeworld"
    return (
        f"{begin}You see the map of the {len(state.stars)} stars, and you have no ships or "
        f"colonies yet: first you choose {stars}."
    )


def _homes(state: State, seat: Seat) -> Iterator[Suggestion]:
    """Yield good homeworlds: one in each choice, or if choices are sealed one for each zone."""
    if seat not in homes.choosers(state):
        return
    zones = [homes.ranked(state, zone)[:_MOST] for zone in homes.zones(state, seat)]
    is_sealed = state.rules.home_pick is HomePick.SEALED
    by_rank = [(star,) for stars in zip(*zones, strict=True) for star in stars]
    for stars in product(*zones) if is_sealed else by_rank:
        near = [f"W{star.number} has {_neighbours(state, star)}" for star in stars]
        size = min(star.capacity for star in stars)
        why = (
            f"The colony has size {size} at once, and builds for {counted(size, 'point')} a turn. "
            f"Within {LINE} hexes, where transports go, {listed(near)}."
        )
        yield Suggestion(tuple(ChooseHome(star.number) for star in stars), why)


def _neighbours(state: State, star: Star) -> str:
    near = [e for e in state.stars.values() if e is not star]
    return counted(sum(state.apart(star.number, e.number) <= LINE for e in near), "star")


def _position(state: State, seat: Seat) -> str:
    player, colonies = state.players[seat], state.colonies_of(seat)
    home = f" Your homeworld is W{player.home}." if player.home else ""
    many = "1 colony" if len(colonies) == 1 else f"{len(colonies)} colonies"
    have = counted(sum(points(state, star) for star in colonies), "point")
    fleets = counted(len(state.fleets_of(seat)), "fleet")
    return f"You are {player.name}.{home} You have {many} with {have} to spend, and {fleets}."


def _production(state: State, seat: Seat) -> Iterator[Suggestion]:
    free = [letter for letter in LETTERS if state.fleet(seat, letter) is None]
    for star, letter in zip(state.colonies_of(seat), free, strict=False):
        number, have = star.number, points(state, star)
        wanted = Ships(transports=1, cruisers=1) if have > 4 else Ships(scouts=1)
        why = "A transport founds a colony at a free star; scouts and cruisers fight."
        yield Suggestion((Build(number, wanted, letter),), why)
        yield Suggestion((Grow(number),), "A larger colony has more points each turn.")
        why = "A fortified colony is hard to take. It needs the same order next turn."
        yield Suggestion((Fortify(number),), why)


def _fleets(state: State, seat: Seat) -> Iterator[Suggestion]:
    free = next((letter for letter in LETTERS if state.fleet(seat, letter) is None), "")
    for fleet in state.fleets_of(seat):
        letter = fleet.letter
        why = "The transport founds a colony here, with points of its own from next turn."
        yield Suggestion((Land(letter),), why)
        for star in _reached(state, fleet):
            why = f"W{star.number} is free and can hold a colony of size {star.capacity}."
            yield Suggestion((Move(letter, star.number),), why)
            if fleet.ships.scouts:
                yield Suggestion((Recon(letter, (star.number,)),), "A scout sees what is there.")
        yield Suggestion((Defend(letter),), "It fights any enemy who comes.")
        for home in state.colonies_of(seat)[:_MOST]:
            why = "It does not fight a stronger enemy, and is safe at your colony."
            yield Suggestion((Withdraw(letter, home.number),), why)
        if free:
            why = "All its ships fly under another letter; a part of them could go elsewhere."
            yield Suggestion((Transfer(letter, None, free),), why)


def _reached(state: State, fleet: Fleet) -> list[Star]:
    """Return free stars that a fleet can move to, the largest first."""
    able = (s for s in state.stars.values() if s.owner is None)
    near = [s for s in able if not objection(state, fleet, Move(fleet.letter, s.number))]
    return sorted(near, key=lambda star: (-star.capacity, star.number))[:_MOST]

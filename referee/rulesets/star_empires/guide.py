"""The guide for newcomers: the homeworld and what is in sight, and orders with the reasons."""

from collections.abc import Iterator

from referee.rules.ruleset import Guide, Seat, Suggestion, UserError
from referee.rules.wording import counted, listed
from referee.rulesets.star_empires.class_names import class_name
from referee.rulesets.star_empires.hulls import Hull, Ratings, ShipClass
from referee.rulesets.star_empires.knowledge import believed
from referee.rulesets.star_empires.orders import (
    Ally,
    Authorize,
    Build,
    Design,
    Identify,
    Move,
    Order,
    Pool,
    Repair,
    Scope,
    ShipSet,
    Toggle,
    Transfer,
)
from referee.rulesets.star_empires.sectors import distance, written
from referee.rulesets.star_empires.state import Empire, KnownWorld, State, World
from referee.rulesets.star_empires.steps.research import drafted

_EYES = Ratings(1, 1, 3, 4, 0)
"""A scout that sees one sector farther than a probe."""


def guide(state: State, seat: Seat) -> Guide:
    """Return the guide of an empire, from what it knows."""
    known = believed(state, seat)
    empire = known.empires[seat]
    orders = (*_building(known, empire), *_ships(known, empire), *_others(known, empire))
    suggestions = tuple(Suggestion((order,), why) for order, why in orders)
    return Guide(_position(known, empire), suggestions, ("START", "MAP", "SHIPS"))


def _position(state: State, empire: Empire) -> str:
    home = f" Your homeworld is {empire.homeworld}." if empire.homeworld else ""
    worlds, ships = state.worlds_of(empire.seat), state.fleet(empire.seat)
    stock = sum(world.stockpile for world in worlds)
    free = [f"{world.name} at {_at(empire, world)}" for world in _free(empire)[:3]]
    seen = f" You see free worlds: {listed(free)}." if free else " You see no free world yet."
    return (
        f"You are {empire.name}.{home} You have {counted(len(worlds), 'world')}, "
        f"{counted(len(ships), 'ship')} and {stock} RU to spend.{seen}"
    )


def _at(empire: Empire, world: KnownWorld) -> str:
    return written(empire.frame.local(world.at))


def _free(empire: Empire) -> list[KnownWorld]:
    """Return the known worlds without an owner, the nearest to the homeworld first."""
    free = [world for world in empire.worlds.values() if world.owner is None]
    return sorted(free, key=lambda world: (distance(empire.home, world.at), world.name))


def _building(state: State, empire: Empire) -> Iterator[tuple[Order, str]]:
    """Yield ships to build and a class to design, at the world with most RU."""
    worlds = sorted(state.worlds_of(empire.seat), key=lambda world: -world.stockpile)
    for world in worlds[:1]:
        for kind in _cheapest(state, empire, Hull.SCOUT):
            count = max(1, world.stockpile // (2 * kind.cost))
            name = class_name(empire, kind.name)
            why = (
                f"Scouts see far, and one ship with a gun takes a free world. They cost "
                f"{count * kind.cost} RU and are named p1 and so on; next turn MOVE p1 sends one."
            )
            yield Build(world.name, count, name, prefix="p"), why
        yield from _designing(state, world)
        for kind in _cheapest(state, empire, Hull.WING):
            name = class_name(empire, kind.name)
            why = f"It costs {kind.cost} RU and defends {world.name}; it needs a carrier to leave."
            yield Build(world.name, 1, name), why


def _cheapest(state: State, empire: Empire, hull: Hull) -> list[ShipClass]:
    """Return the cheapest class of a hull that the empire can build, or none."""
    kinds = [state.classes[key] for key in sorted(empire.classes & state.classes.keys())]
    fitting = [kind for kind in kinds if kind.hull is hull and kind.buildable]
    return sorted(fitting, key=lambda kind: kind.cost)[:1]


def _designing(state: State, world: World) -> Iterator[tuple[Order, str]]:
    order = Design(world.name, "eyes", Hull.SCOUT.value, _EYES.each())
    try:
        kind = drafted(state, order)
    except UserError:
        return
    why = (
        f"A class of your own, for a fee of {kind.fee} RU: a scout for {kind.cost} RU that sees "
        f"{_EYES.scan} sectors away."
    )
    yield order, why


def _ships(state: State, empire: Empire) -> Iterator[tuple[Order, str]]:
    for ship in state.fleet(empire.seat):
        if ship.loaded:
            continue
        for world in _free(empire):
            far, name = distance(ship.at, world.at), ship.callsign
            if 0 < far <= state.engines_to_move(ship):
                why = f"{world.name} is free, and your ship owns it when it is there with a gun."
                yield Move(ShipSet(None, (name,)), empire.frame.local(world.at)), why
        if missing := state.kind(ship).ratings.dp - ship.dp:
            for own in state.worlds_of(empire.seat)[:1]:
                why = f"It lacks {missing} DP, and a damaged ship is weaker."
                yield Repair(ship.callsign, None, (own.name,)), why
        why = "Everyone whose scan it is on can then read whose ship it is."
        yield Toggle(public=True, items=(ship.callsign,)), why


def _others(state: State, empire: Empire) -> Iterator[tuple[Order, str]]:
    for name, seat in sorted((state.empires[seat].name, seat) for seat in empire.contacts):
        if seat not in empire.allies:
            yield Ally((name,)), f"You are allies if {name} declares it too."
        yield Authorize(Scope(everything=True), (name,)), f"{name} then sees what you see."
        why = f"{name} can then tell your ships from others."
        yield Identify((), (name,), everything=True), why
    worlds = state.worlds_of(empire.seat)
    if len(worlds) > 1:
        one, other, *_ = sorted(worlds, key=lambda world: -world.stockpile)
        yield Pool(one.name), f"All RU are then at {one.name}, for one large ship."
        why = f"{other.name} can then build, too."
        yield Transfer(one.name, 1, other.name), why

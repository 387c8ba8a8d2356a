"""Tricks: orders given now and then, so that every form of order is used."""

from collections.abc import Callable, Iterator
from typing import Final

from referee.testing.robots.starweb.reading import SeenFleet, SeenWorld
from referee.testing.robots.starweb.sheet import Sheet, Supply

Trick = Callable[[Sheet], bool]
"""A function that writes an order if the sheet can use it, and returns whether it did."""

_PLASTIC: Final = 10
_POOR: Final = 12
"""A world with fewer people can be given away."""


def _own(sheet: Sheet) -> Iterator[tuple[SeenWorld, Supply]]:
    """Yield own worlds, beginning with another one each turn."""
    worlds = sheet.game.own_worlds()
    turning = sheet.game.turn % len(worlds) if worlds else 0
    for world in worlds[turning:] + worlds[:turning]:
        yield world, sheet.supplies[world.number]


def _keys(sheet: Sheet) -> Iterator[tuple[SeenFleet, SeenWorld]]:
    """Yield own keys with ships and without orders, beginning with another one each turn."""
    numbers = sorted(sheet.fleets)
    turning = sheet.game.turn % len(numbers) if numbers else 0
    for number in numbers[turning:] + numbers[:turning]:
        if sheet.ships[number] and number not in sheet.busy:
            yield sheet.fleets[number], sheet.world_of(number)


def _lift(home: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.lift(world.number, 1, home, key.number)
            for world, supply in _own(sheet)
            for key in sheet.game.own_at(world)
            if (supply.iships if home == "I" else supply.pships) > 1
        )

    return trick


def _shift(home: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.shift(world.number, 1, home)
            for world, supply in _own(sheet)
            if (supply.iships if home == "I" else supply.pships) > 1
        )

    return trick


def _land(home: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            world.owner == sheet.game.name and sheet.land(key.number, 1, home)
            for key, world in _keys(sheet)
            if sheet.ships[key.number] > 2
        )

    return trick


def _build(where: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(sheet.build(world.number, 1, where) for world, _ in _own(sheet))

    return trick


def _expand(what: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(sheet.expand(world.number, 1, what) for world, _ in _own(sheet))

    return trick


def _scrap(sheet: Sheet) -> bool:
    return any(sheet.scrap(world.number, 1) for world, _ in _own(sheet))


def _migrate(who: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.migrate(world.number, 1, gate, who)
            for world, _ in _own(sheet)
            for gate in world.gates
            if gate in sheet.game.worlds and sheet.game.worlds[gate].population
        )

    return trick


def _probe_from_key(sheet: Sheet) -> bool:
    return any(
        sheet.probe(f"F{key.number}", gate)
        for key, world in _keys(sheet)
        for gate in world.gates
        if not sheet.atlas.is_charted(gate)
    )


def _probe_from_home(home: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.probe(f"{home}{world.number}", gate)
            for world, supply in _own(sheet)
            for gate in world.gates
            if (supply.iships if home == "I" else supply.pships) > 1
        )

    return trick


def _load_some(sheet: Sheet) -> bool:
    return any(sheet.load(key.number, 1) for key, _ in _keys(sheet))


def _load_all(sheet: Sheet) -> bool:
    return any(sheet.load(key.number) for key, _ in _keys(sheet))


def _unload_some(sheet: Sheet) -> bool:
    return any(
        world.owner == sheet.game.name and sheet.unload(key.number, "U", 1)
        for key, world in _keys(sheet)
        if sheet.held[key.number] > 1
    )


def _jettison(count: int) -> Trick:
    """Return the trick for jettison: a key that may have to fight drops its metal."""

    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.unload(key.number, "J", count)
            for key, world in _keys(sheet)
            if sheet.held[key.number] == max(1, count) or sheet.game.others_at(world)
        )

    return trick


def _goods(count: int) -> Trick:
    """Return the trick for consumer goods, which turn converts back."""

    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.unload(key.number, "N", count)
            for key, world in _keys(sheet)
            if world.population and sheet.game.name != world.apostle
            if world.apostle or sheet.held[key.number] <= 2
        )

    return trick


def _hook(sheet: Sheet) -> bool:
    return any(
        sheet.hook(artifact, key.number)
        for key, world in _keys(sheet)
        if world.owner == sheet.game.name
        for artifact in world.artifacts
    )


def _drop(sheet: Sheet) -> bool:
    """Drop artifacts on own worlds, and plastic ones on others' worlds."""
    return any(
        sheet.drop(artifact)
        for key, world in _keys(sheet)
        for artifact in key.artifacts
        if (world.owner == sheet.game.name) != (artifact >= _PLASTIC and artifact % _PLASTIC == 0)
    )


def _fire_at_key(trigger: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.fire(key.number, f"{trigger}F{other.number}")
            for key, world in _keys(sheet)
            for other in sheet.game.others_at(world)[:1]
            if sheet.ships[key.number] >= other.ships
        )

    return trick


def _fire_at_world(target: str) -> Trick:
    """Return the trick for fire at worlds of players who are not allies."""

    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.fire(key.number, target)
            for key, world in _keys(sheet)
            if sheet.game.is_foreign(world) and not world.robots
            if sheet.ships[key.number] > 1
        )

    return trick


def _home_fire(home: str, trigger: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.home_fire(world.number, home, f"{trigger}F{other.number}")
            for world, _ in _own(sheet)
            for other in sheet.game.others_at(world)[:1]
        )

    return trick


def _fire_at_converts(home: str, trigger: str) -> Trick:
    def trick(sheet: Sheet) -> bool:
        return any(
            sheet.home_fire(world.number, home, f"{trigger}C")
            for world, _ in _own(sheet)
            if world.converts and world.apostle != sheet.game.name
        )

    return trick


def _calm(sheet: Sheet) -> bool:
    """Write Z, so that allies can pass."""
    return bool(sheet.game.allies) and sheet.say("Z")


def _calm_here(sheet: Sheet) -> bool:
    return any(sheet.say(f"Z{world.number}") for world, _ in list(_own(sheet))[:1])


def _declare(letter: str) -> Trick:
    """Return the trick for a declaration: ``A`` ``N`` ``L`` ``X``."""

    def trick(sheet: Sheet) -> bool:
        game = sheet.game
        known = game.allies if letter in "AN" else game.loaders
        declared = {order for order in sheet.orders if "=" in order}
        return any(
            sheet.say(f"{letter}={name}")
            for name in game.met
            if (name in known) == (letter in "NX") and not any(name in each for each in declared)
        )

    return trick


def _give_key(sheet: Sheet) -> bool:
    """Write a gift of a key with one or two ships to an ally."""
    return any(
        sheet.give_fleet(key.number, name)
        for key, _ in _keys(sheet)
        if sheet.ships[key.number] < 3 and len(sheet.fleets) > 6 and sheet.game.turn > 5
        for name in sorted(sheet.game.allies)
    )


def _give_world(sheet: Sheet) -> bool:
    """Write a gift of a poor world to an ally."""
    return any(
        sheet.give_world(world.number, name)
        for world, _ in _own(sheet)
        if not world.industry and world.population < _POOR and sheet.game.turn > 5
        for name in sorted(sheet.game.allies)
    )


def _scorch(sheet: Sheet) -> bool:
    """Plunder a world that is about to be lost."""
    return any(
        sheet.plunder(world.number)
        for world, supply in _own(sheet)
        if sheet.game.others_at(world) and not supply.pships + supply.iships
    )


def _make_peace(sheet: Sheet) -> bool:
    """Put a fleet at an ally's world at peace."""
    return any(
        sheet.say(f"F{key.number}Q")
        for key, world in _keys(sheet)
        if not key.at_peace
        and f"F{key.number}Q" not in sheet.orders
        and world.owner in sheet.game.allies
    )


def _end_peace(sheet: Sheet) -> bool:
    return any(
        sheet.say(f"F{key.number}X")
        for key, world in _keys(sheet)
        if key.at_peace and world.owner not in sheet.game.allies
    )


def _new_sign(sheet: Sheet) -> bool:
    game = sheet.game
    owned = len(game.own_worlds())
    wanted = game.turn % 10 == 0
    return wanted and sheet.say(
        f"SIGN\n{game.name} rules {owned} worlds\nin turn {game.turn}.\nEND"
    )


TRICKS: Final[dict[str, Trick]] = {
    **{f"{home}T F": _lift(home) for home in "IP"},
    **{f"{home}T": _shift(home) for home in "IP"},
    **{f"FT{home}": _land(home) for home in "IP"},
    **{f"WB{home}": _build(home) for home in "IP"},
    **{f"WI{what}": _expand(what) for what in "IL"},
    "WS": _scrap,
    **{f"{who}M": _migrate(who) for who in "PC"},
    "FP": _probe_from_key,
    **{f"{home}P": _probe_from_home(home) for home in "IP"},
    "FL": _load_all,
    "FLq": _load_some,
    "FUq": _unload_some,
    "FJ": _jettison(0),
    "FJq": _jettison(1),
    "FN": _goods(0),
    "FNq": _goods(1),
    "VF": _hook,
    "VW": _drop,
    **{f"F{trigger}F": _fire_at_key(trigger) for trigger in "AC"},
    **{f"F{trigger}{aim}": _fire_at_world(trigger + aim) for trigger in "AC" for aim in "IPH"},
    **{f"{home}{trigger}F": _home_fire(home, trigger) for home in "IP" for trigger in "AC"},
    **{f"{home}{trigger}C": _fire_at_converts(home, trigger) for home in "IP" for trigger in "AC"},
    "Z": _calm,
    "Zn": _calm_here,
    **{f"{letter}=": _declare(letter) for letter in "ANLX"},
    "FG": _give_key,
    "WG": _give_world,
    "WX": _scorch,
    "FQ": _make_peace,
    "FX": _end_peace,
    "SIGN": _new_sign,
}
"""All tricks, by the form of their orders."""
